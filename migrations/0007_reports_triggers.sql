-- Reports: users by the day and month of their creation, activities by their verb, and what a registration's graded modules came to.

CREATE TRIGGER users_counted_by_day AFTER INSERT ON users BEGIN
  INSERT INTO counters (key, value) VALUES
    ('users:day:' || date(new.created_at / 1000, 'unixepoch'), 1),
    ('users:month:' || strftime('%Y-%m', new.created_at / 1000, 'unixepoch'), 1)
    ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER users_uncounted_by_day AFTER DELETE ON users BEGIN
  UPDATE counters SET value = value - 1 WHERE key IN (
    'users:day:' || date(old.created_at / 1000, 'unixepoch'), 'users:month:' || strftime('%Y-%m', old.created_at / 1000, 'unixepoch'));
END;
--> statement-breakpoint
INSERT INTO counters (key, value)
  SELECT 'users:day:' || date(created_at / 1000, 'unixepoch'), count(*) FROM users WHERE true GROUP BY 1
  UNION ALL SELECT 'users:month:' || strftime('%Y-%m', created_at / 1000, 'unixepoch'), count(*) FROM users WHERE true GROUP BY 1;
--> statement-breakpoint
CREATE TRIGGER enrolments_points_given AFTER INSERT ON module_statuses WHEN new.points_awarded IS NOT NULL BEGIN
  UPDATE enrolments SET points_awarded = points_awarded + new.points_awarded,
    points_possible = points_possible + (SELECT total_points FROM modules WHERE id = new.module_id)
    WHERE id = new.enrolment_id;
END;
--> statement-breakpoint
CREATE TRIGGER enrolments_points_changed AFTER UPDATE OF points_awarded ON module_statuses WHEN old.points_awarded IS NOT new.points_awarded BEGIN
  UPDATE enrolments SET points_awarded = points_awarded + coalesce(new.points_awarded, 0) - coalesce(old.points_awarded, 0),
    points_possible = points_possible + (SELECT total_points FROM modules WHERE id = new.module_id)
      * ((new.points_awarded IS NOT NULL) - (old.points_awarded IS NOT NULL))
    WHERE id = new.enrolment_id;
END;
--> statement-breakpoint
CREATE TRIGGER enrolments_points_taken AFTER DELETE ON module_statuses WHEN old.points_awarded IS NOT NULL BEGIN
  UPDATE enrolments SET points_awarded = points_awarded - old.points_awarded,
    points_possible = points_possible - (SELECT total_points FROM modules WHERE id = old.module_id)
    WHERE id = old.enrolment_id;
END;
--> statement-breakpoint
CREATE TRIGGER enrolments_points_possible AFTER UPDATE OF total_points ON modules WHEN old.total_points <> new.total_points BEGIN
  UPDATE enrolments SET points_possible = points_possible + new.total_points - old.total_points
    WHERE id IN (SELECT enrolment_id FROM module_statuses WHERE module_id = new.id AND points_awarded IS NOT NULL);
END;
--> statement-breakpoint
UPDATE enrolments SET
  points_awarded = (SELECT coalesce(sum(points_awarded), 0) FROM module_statuses WHERE enrolment_id = enrolments.id),
  points_possible = (SELECT coalesce(sum(modules.total_points), 0) FROM module_statuses JOIN modules ON modules.id = module_statuses.module_id
    WHERE enrolment_id = enrolments.id AND module_statuses.points_awarded IS NOT NULL);
--> statement-breakpoint
CREATE TRIGGER activities_counted_by_verb AFTER INSERT ON activities BEGIN
  INSERT INTO counters (key, value) VALUES ('activities:verb:' || new.verb, 1) ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER activities_uncounted_by_verb AFTER DELETE ON activities BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'activities:verb:' || old.verb;
END;
--> statement-breakpoint
INSERT INTO counters (key, value) SELECT 'activities:verb:' || verb, count(*) FROM activities WHERE true GROUP BY verb;
