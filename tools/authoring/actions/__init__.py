"""What the built-in human does besides walking and jogging: jump, duck, crawl."""
