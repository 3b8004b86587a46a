"""Makes samples: files as other tools write them, with what those tools read back out of them."""
