-- Lists filtered by status: how many orders and subscriptions have each. And what a SCORM module is worth.

CREATE TRIGGER orders_counted_by_status AFTER INSERT ON orders BEGIN
  INSERT INTO counters (key, value) VALUES ('orders:' || new.status, 1) ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER orders_recounted_by_status AFTER UPDATE OF status ON orders WHEN old.status <> new.status BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'orders:' || old.status;
  INSERT INTO counters (key, value) VALUES ('orders:' || new.status, 1) ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER orders_uncounted_by_status AFTER DELETE ON orders BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'orders:' || old.status;
END;
--> statement-breakpoint
INSERT INTO counters (key, value) SELECT 'orders:' || status, count(*) FROM orders WHERE true GROUP BY status;
--> statement-breakpoint
CREATE TRIGGER subscriptions_counted_by_status AFTER INSERT ON subscriptions BEGIN
  INSERT INTO counters (key, value) VALUES ('subscriptions:' || new.status, 1) ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_recounted_by_status AFTER UPDATE OF status ON subscriptions WHEN old.status <> new.status BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'subscriptions:' || old.status;
  INSERT INTO counters (key, value) VALUES ('subscriptions:' || new.status, 1) ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_uncounted_by_status AFTER DELETE ON subscriptions BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'subscriptions:' || old.status;
END;
--> statement-breakpoint
INSERT INTO counters (key, value) SELECT 'subscriptions:' || status, count(*) FROM subscriptions WHERE true GROUP BY status;
--> statement-breakpoint
UPDATE modules SET total_points = 100 WHERE type = 'scorm';
