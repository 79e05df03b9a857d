"""Pictures of motions and worlds, drawn without a graphics card or a screen."""
