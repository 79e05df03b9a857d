"""Pictures of motions and worlds, drawn without a graphics card or a screen."""

from gambol.extras import check_extra

check_extra("pictures", "drawing")
