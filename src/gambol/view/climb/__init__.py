"""The tab "Climb": a climber's plan, and the body that climbs."""
