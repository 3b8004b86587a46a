"""CAS as XMI and JSON by dkpro-cassis, alone and in project exports as INCEpTION lays them out."""

import io
import json

from cassis import Cas, TypeSystem, load_cas_from_json, load_cas_from_xmi, load_typesystem
from cassis.typesystem import TypeSystemMode

from .samples import Found, zipped
from .texts import ANA, BEN, TEXTS, quoted

TOOL = "dkpro-cassis"
CORE = "de.tudarmstadt.ukp.dkpro.core.api"
ANNOTATION = "uima.tcas.Annotation"
NAMED_ENTITY = f"{CORE}.ner.type.NamedEntity"
TOKEN = f"{CORE}.segmentation.type.Token"
SENTENCE = f"{CORE}.segmentation.type.Sentence"
POS = f"{CORE}.lexmorph.type.pos.POS"
LEMMA = f"{CORE}.segmentation.type.Lemma"
DEPENDENCY = f"{CORE}.syntax.type.dependency.Dependency"
META = f"{CORE}.metadata.type.DocumentMetaData"
CLAIM = "webanno.custom.Claim"
ROLE = "custom.nested.Role"


def type_system():
    """The layers that INCEpTION has built in, and layers of a project."""
    types = TypeSystem()
    for name, parent, features in [
        (NAMED_ENTITY, ANNOTATION, ["value", "identifier"]),
        (SENTENCE, ANNOTATION, ["id"]),
        (LEMMA, ANNOTATION, ["value"]),
        (POS, ANNOTATION, ["PosValue", "coarseValue"]),
        (f"{POS}_NOUN", POS, []),
        (f"{POS}_PROPN", f"{POS}_NOUN", []),
        (f"{POS}_VERB", POS, []),
        (META, "uima.tcas.DocumentAnnotation", ["documentTitle", "documentId"]),
        (CLAIM, ANNOTATION, ["label"]),
        (ROLE, NAMED_ENTITY, ["function"]),
    ]:
        made = types.create_type(name, parent)
        for feature in features:
            types.create_feature(made, feature, "uima.cas.String")
    token = types.create_type(TOKEN, ANNOTATION)
    types.create_feature(token, "pos", types.get_type(POS))
    types.create_feature(token, "lemma", types.get_type(LEMMA))
    dependency = types.create_type(DEPENDENCY, ANNOTATION)
    types.create_type(f"{CORE}.syntax.type.dependency.ROOT", DEPENDENCY)
    for feature in ["Governor", "Dependent"]:
        types.create_feature(dependency, feature, token)
    types.create_feature(dependency, "DependencyType", "uima.cas.String")
    return types


def cas_of(name, marks, layer=NAMED_ENTITY, feature="value", words=False):
    """A document with spans of a layer; with `words`, also what describes its tokens."""
    cas = Cas(typesystem=type_system())
    cas.sofa_string, cas.sofa_mime = TEXTS[name], "text/plain"
    make = cas.typesystem.get_type
    cas.add(make(META)(begin=0, end=len(TEXTS[name]), documentTitle=f"{name}.txt"))
    start, tokens = 0, []
    for line in TEXTS[name].split("\n"):
        cas.add(make(SENTENCE)(begin=start, end=start + len(line)))
        for word in line.split(" "):
            tokens.append(make(TOKEN)(begin=start, end=start + len(word)))
            start += len(word) + 1
    for token in tokens:
        if words:
            kind = "PROPN" if cas.sofa_string[token.begin].isupper() else "VERB"
            token.pos = make(f"{POS}_{kind}")(begin=token.begin, end=token.end, PosValue=kind)
            token.lemma = make(LEMMA)(begin=token.begin, end=token.end, value="lemma")
            cas.add_all([token.pos, token.lemma])
        cas.add(token)
    if words:
        root = make(f"{CORE}.syntax.type.dependency.ROOT")
        first = tokens[0]
        cas.add(root(begin=first.begin, end=first.end, Governor=first, Dependent=first))
    for begin, end, label in marks:
        cas.add(make(layer)(begin=begin, end=end, **{feature: label}))
    return cas


def xmi(cas):
    return cas.to_xmi(pretty_print=True)


def marked(cas, layer=NAMED_ENTITY, feature="value"):
    return [(getattr(span, feature), span.get_covered_text()) for span in cas.select(layer)]


def from_xmi(text):
    return load_cas_from_xmi(io.BytesIO(text.encode()), typesystem=type_system())


def with_types(name, cas):
    """What "UIMA CAS XMI" of INCEpTION gives: the document and its type system."""
    types = cas.typesystem.to_xml()
    load_typesystem(types)
    return zipped({f"{name}.xmi": xmi(cas), "TypeSystem.xml": types})


def make(samples):
    def add(path, content, says, text, marks):
        samples.add(path, content, TOOL, says, Found().document(text, marks))

    for path, name, says, how in [
        ("xmi/named_entities.xmi", "news", "the built-in layer of named entities", {}),
        ("xmi/astral.xmi", "party", "offsets count UTF-16 units", {}),
        ("xmi/words.xmi", "ship", "subtypes of POS, lemmas, dependencies beside", {"words": True}),
        (
            "xmi/custom_layer.xmi",
            "news",
            "a layer of the project",
            {"layer": CLAIM, "feature": "label"},
        ),
    ]:
        content = xmi(cas_of(name, ANA[name], **how))
        layer, feature = how.get("layer", NAMED_ENTITY), how.get("feature", "value")
        add(path, content, says, TEXTS[name], marked(from_xmi(content), layer, feature))

    ship = cas_of("ship", ANA["ship"], layer=ROLE, words=True)
    says = "a layer that inherits from named entities, words that inherit from POS"
    add("xmi/inheriting.zip", with_types("ship", ship), says, TEXTS["ship"], marked(ship))

    for path, name, says, how in [
        ("cas_json/named_entities.json", "news", "the built-in layer of named entities", {}),
        ("cas_json/astral.json", "party", "offsets of characters beyond the first plane", {}),
        (
            "cas_json/inheriting.json",
            "ship",
            "a layer that inherits",
            {"layer": ROLE, "words": True},
        ),
    ]:
        content = cas_of(name, ANA[name], **how).to_json(pretty_print=True)
        add(path, content, says, TEXTS[name], marked(load_cas_from_json(content)))

    make_projects(samples)


def project(documents, annotations):
    """`exportedproject.json`, as far as it says who has done what."""
    return json.dumps(
        {
            "name": "News",
            "application_version": "38.4",
            "version": 1,
            "source_documents": [
                {"name": f"{name}.txt", "format": "text", "state": state}
                for name, state in documents.items()
            ],
            "annotation_documents": [
                {"name": f"{name}.txt", "user": user, "state": state}
                for (name, user), state in annotations.items()
            ],
        },
        indent=1,
    )


def make_projects(samples):
    """Exports of a project: `annotation/DOCUMENT/USER`, beside it sources and the curation."""
    work = {"ana": ANA, "ben": BEN}

    def export(suffix, write, read, states, curated=()):
        files = {
            "exportedproject.json": project(
                {
                    name: "CURATION_FINISHED" if name in curated else "ANNOTATION_IN_PROGRESS"
                    for name in ["news", "ship"]
                },
                states,
            )
        }
        found = Found()
        for name in ["news", "ship"]:
            files[f"source/{name}.txt"] = TEXTS[name]
            content = write(cas_of(name, []))
            files[f"annotation/{name}.txt/INITIAL_CAS.{suffix}"] = content
            files[f"annotation_ser/{name}.txt/INITIAL_CAS.ser"] = b"\xac\xed\x00\x05"
            gold = ()
            if name in curated:
                content = write(cas_of(name, ANA[name]))
                files[f"curation/{name}.txt/CURATION_USER.{suffix}"] = content
                gold = marked(read(content))
            done = {}
            for (document, user), state in states.items():
                if document == name:
                    content = write(cas_of(name, work[user][name]))
                    files[f"annotation/{name}.txt/{user}.{suffix}"] = content
                    files[f"annotation_ser/{name}.txt/{user}.ser"] = b"\xac\xed\x00\x05"
                    if state == "FINISHED":
                        done[user] = marked(read(content))
            found.document(TEXTS[name], gold, done)
        return zipped(files), found

    finished = {(name, user): "FINISHED" for name in ["news", "ship"] for user in ["ana", "ben"]}
    json_of = lambda cas: cas.to_json(type_system_mode=TypeSystemMode.MINIMAL)
    content, found = export("json", json_of, load_cas_from_json, finished)
    samples.add("inception/finished_json.zip", content, TOOL, "a project in CAS JSON", found)
    content, found = export("xmi", xmi, from_xmi, finished, curated=["news"])
    samples.add(
        "inception/curated_xmi.zip", content, TOOL, "a project, one document curated", found
    )
    locked = finished | {("ship", "ben"): "IGNORE"}
    content, found = export("json", json_of, load_cas_from_json, locked)
    samples.add("inception/locked.zip", content, TOOL, "a document that a rater does not do", found)
    content, found = export("json", json_of, load_cas_from_json, {})
    samples.add("inception/nobody.zip", content, TOOL, "a project that nobody has begun", found)

    backup = zipped(
        {
            "exportedproject.json": project({"news": "ANNOTATION_FINISHED"}, finished),
            "source/news.txt": TEXTS["news"],
            "annotation_ser/news.txt/ana.ser": b"\xac\xed\x00\x05",
            "annotation_ser/news.txt/ben.ser": b"\xac\xed\x00\x05",
        }
    )
    says = "a backup, whose work is serialized Java only"
    samples.add("inception/backup.zip", backup, TOOL, says, refused="serialized")

    archives = {"source/ship.txt": TEXTS["ship"]}
    found = Found().document(
        TEXTS["ship"], (), {user: quoted(TEXTS["ship"], work[user]["ship"]) for user in work}
    )
    for user in work:
        content = with_types("ship", cas_of("ship", work[user]["ship"]))
        archives[f"annotation/ship.txt/{user}.zip"] = content
    archives["exportedproject.json"] = project({"ship": "ANNOTATION_FINISHED"}, finished)
    says = "a project in XMI, each with its type system"
    samples.add("inception/xmi_in_zips.zip", zipped(archives), TOOL, says, found)
