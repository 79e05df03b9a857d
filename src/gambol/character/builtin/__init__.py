"""Characters made by code, so that everything works with nothing downloaded."""
