-- Kept counters: how many rows each list has.
CREATE TRIGGER cards_inserted AFTER INSERT ON cards BEGIN
  INSERT INTO counters (key, value) VALUES ('cards', 1) ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER cards_deleted AFTER DELETE ON cards BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'cards';
END;
--> statement-breakpoint
CREATE TRIGGER orders_inserted AFTER INSERT ON orders BEGIN
  INSERT INTO counters (key, value) VALUES ('orders', 1) ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER orders_deleted AFTER DELETE ON orders BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'orders';
END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_inserted AFTER INSERT ON subscriptions BEGIN
  INSERT INTO counters (key, value) VALUES ('subscriptions', 1) ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_deleted AFTER DELETE ON subscriptions BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'subscriptions';
END;
--> statement-breakpoint
CREATE TRIGGER user_consents_inserted AFTER INSERT ON user_consents BEGIN
  INSERT INTO counters (key, value) VALUES ('user_consents', 1) ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER user_consents_deleted AFTER DELETE ON user_consents BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'user_consents';
END;
--> statement-breakpoint
CREATE TRIGGER carts_inserted AFTER INSERT ON carts BEGIN
  INSERT INTO counters (key, value) VALUES ('carts', 1) ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER carts_deleted AFTER DELETE ON carts BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'carts';
END;
--> statement-breakpoint

-- Reviews, and what they make of their course: the sum and the number of its ratings.
CREATE TRIGGER reviews_inserted AFTER INSERT ON reviews BEGIN
  INSERT INTO counters (key, value) VALUES ('reviews', 1) ON CONFLICT (key) DO UPDATE SET value = value + 1;
  UPDATE courses SET rating_sum = rating_sum + new.rating, rating_count = rating_count + 1 WHERE id = new.course_id;
END;
--> statement-breakpoint
CREATE TRIGGER reviews_rating_changed AFTER UPDATE OF rating ON reviews BEGIN
  UPDATE courses SET rating_sum = rating_sum + new.rating - old.rating WHERE id = new.course_id;
END;
--> statement-breakpoint
CREATE TRIGGER reviews_deleted AFTER DELETE ON reviews BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'reviews';
  UPDATE courses SET rating_sum = rating_sum - old.rating, rating_count = rating_count - 1 WHERE id = old.course_id;
END;
--> statement-breakpoint

CREATE TRIGGER user_sources_inserted AFTER INSERT ON user_sources BEGIN
  INSERT INTO counters (key, value) VALUES ('user_sources', 1) ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER user_sources_deleted AFTER DELETE ON user_sources BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'user_sources';
END;
--> statement-breakpoint
INSERT INTO counters (key, value) SELECT 'user_sources', count(*) FROM user_sources;
