-- A user whose making is given another date moves to that day's and month's counts.
CREATE TRIGGER users_recounted_by_day AFTER UPDATE OF created_at ON users WHEN old.created_at <> new.created_at BEGIN
  UPDATE counters SET value = value - 1 WHERE key IN (
    'users:day:' || date(old.created_at / 1000, 'unixepoch'), 'users:month:' || strftime('%Y-%m', old.created_at / 1000, 'unixepoch'));
  INSERT INTO counters (key, value) VALUES
    ('users:day:' || date(new.created_at / 1000, 'unixepoch'), 1),
    ('users:month:' || strftime('%Y-%m', new.created_at / 1000, 'unixepoch'), 1)
    ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
DELETE FROM counters WHERE (key >= 'users:day:' AND key < 'users:day;') OR (key >= 'users:month:' AND key < 'users:month;');
--> statement-breakpoint
INSERT INTO counters (key, value)
  SELECT 'users:day:' || date(created_at / 1000, 'unixepoch'), count(*) FROM users WHERE true GROUP BY 1
  UNION ALL SELECT 'users:month:' || strftime('%Y-%m', created_at / 1000, 'unixepoch'), count(*) FROM users WHERE true GROUP BY 1;
