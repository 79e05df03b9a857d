"""Valid small files made by code, several shapes a format: what the mutations start from."""
