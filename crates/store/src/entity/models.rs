//! Models, and their work.

tables! {
    /// Models, each in one version.
    model {
        #[sea_orm(primary_key)] id: i64,
        project_id: i64,
        name: String,
        version: String,
        prompt_hash: String,
        made_on: Option<Date>,
        revision: i64,
        created_at: DateTimeUtc,
    }

    /// What models have answered about documents and spans.
    model_choice {
        #[sea_orm(primary_key, auto_increment = false)] model_id: i64,
        #[sea_orm(primary_key, auto_increment = false)] document_id: i64,
        #[sea_orm(primary_key, auto_increment = false)] start_at: i64,
        #[sea_orm(primary_key, auto_increment = false)] end_at: i64,
        #[sea_orm(primary_key, auto_increment = false)] attribute_id: i64,
        number: i64,
    }

    /// What models have marked.
    model_span {
        #[sea_orm(primary_key, auto_increment = false)] model_id: i64,
        #[sea_orm(primary_key, auto_increment = false)] document_id: i64,
        #[sea_orm(primary_key, auto_increment = false)] start_at: i64,
        #[sea_orm(primary_key, auto_increment = false)] end_at: i64,
        #[sea_orm(primary_key, auto_increment = false)] label_id: i64,
    }

    /// The documents that models have work on.
    model_work {
        #[sea_orm(primary_key, auto_increment = false)] model_id: i64,
        #[sea_orm(primary_key, auto_increment = false)] document_id: i64,
        saved_at: DateTimeUtc,
        import_id: Option<i64>,
    }
}
