"""How bodies and skins get their shape: rounded cones around bones, and one surface around them."""
