-- Classes: kept counts by audience (see class_tallies in drizzle/classes.ts), and what class enrolments repeat of others.
CREATE TRIGGER classes_inserted AFTER INSERT ON classes BEGIN
  INSERT INTO counters (key, value) VALUES ('classes', 1), ('classes:' || new.course_id, 1)
    ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint

CREATE TRIGGER classes_deleted AFTER DELETE ON classes BEGIN
  UPDATE counters SET value = value - 1 WHERE key IN ('classes', 'classes:' || old.course_id);
END;
--> statement-breakpoint

CREATE TRIGGER classes_moved AFTER UPDATE OF course_id ON classes WHEN old.course_id <> new.course_id BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'classes:' || old.course_id;
  INSERT INTO counters (key, value) VALUES ('classes:' || new.course_id, 1)
    ON CONFLICT (key) DO UPDATE SET value = value + 1;
  UPDATE class_enrolments SET course_id = new.course_id WHERE class_id = new.id;
  UPDATE class_sessions SET course_id = new.course_id WHERE class_id = new.id;
END;
--> statement-breakpoint

CREATE TRIGGER classes_dated AFTER UPDATE OF start_at, end_at ON classes
WHEN old.start_at <> new.start_at OR old.end_at <> new.end_at BEGIN
  UPDATE class_enrolments SET start_at = new.start_at, end_at = new.end_at WHERE class_id = new.id;
END;
--> statement-breakpoint

CREATE TRIGGER class_sessions_inserted AFTER INSERT ON class_sessions BEGIN
  INSERT INTO counters (key, value) VALUES ('class_sessions', 1), ('class_sessions:' || new.course_id, 1)
    ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint

CREATE TRIGGER class_sessions_deleted AFTER DELETE ON class_sessions BEGIN
  UPDATE counters SET value = value - 1 WHERE key IN ('class_sessions', 'class_sessions:' || old.course_id);
END;
--> statement-breakpoint

CREATE TRIGGER class_sessions_moved AFTER UPDATE OF course_id ON class_sessions WHEN old.course_id <> new.course_id BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'class_sessions:' || old.course_id;
  INSERT INTO counters (key, value) VALUES ('class_sessions:' || new.course_id, 1)
    ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint

CREATE TRIGGER class_enrolments_inserted AFTER INSERT ON class_enrolments BEGIN
  UPDATE classes SET size = size + (new.status <> 'Cancelled') WHERE id = new.class_id;
  INSERT INTO class_tallies (audience, class_id, registered, attended, no_show, cancelled)
    SELECT of.audience, scope.class_id, (new.status = 'Registered'), (new.status = 'Attended'), (new.status = 'No Show'), (new.status = 'Cancelled')
    FROM (SELECT 'all' AS audience UNION ALL SELECT audience FROM audiences WHERE user_id = new.user_id) AS of
      CROSS JOIN (SELECT 0 AS class_id UNION ALL SELECT new.class_id) AS scope WHERE true
    UNION ALL SELECT 'user:' || new.user_id, 0, (new.status = 'Registered'), (new.status = 'Attended'), (new.status = 'No Show'), (new.status = 'Cancelled')
    WHERE true
    ON CONFLICT (audience, class_id) DO UPDATE SET
      registered = registered + excluded.registered, attended = attended + excluded.attended,
      no_show = no_show + excluded.no_show, cancelled = cancelled + excluded.cancelled;
END;
--> statement-breakpoint

CREATE TRIGGER class_enrolments_moved AFTER UPDATE OF status ON class_enrolments WHEN old.status <> new.status BEGIN
  UPDATE classes SET size = size + (new.status <> 'Cancelled') - (old.status <> 'Cancelled') WHERE id = new.class_id;
  UPDATE class_tallies SET
    registered = registered + (new.status = 'Registered') - (old.status = 'Registered'),
    attended = attended + (new.status = 'Attended') - (old.status = 'Attended'),
    no_show = no_show + (new.status = 'No Show') - (old.status = 'No Show'),
    cancelled = cancelled + (new.status = 'Cancelled') - (old.status = 'Cancelled')
    WHERE audience IN (SELECT 'all' UNION ALL SELECT 'user:' || old.user_id
      UNION ALL SELECT audience FROM audiences WHERE user_id = old.user_id)
      AND class_id IN (0, old.class_id);
END;
--> statement-breakpoint

CREATE TRIGGER class_enrolments_deleted AFTER DELETE ON class_enrolments BEGIN
  UPDATE classes SET size = size - (old.status <> 'Cancelled') WHERE id = old.class_id;
  UPDATE class_tallies SET
    registered = registered - (old.status = 'Registered'), attended = attended - (old.status = 'Attended'),
    no_show = no_show - (old.status = 'No Show'), cancelled = cancelled - (old.status = 'Cancelled')
    WHERE audience IN (SELECT 'all' UNION ALL SELECT 'user:' || old.user_id
      UNION ALL SELECT audience FROM audiences WHERE user_id = old.user_id)
      AND class_id IN (0, old.class_id);
END;
--> statement-breakpoint

CREATE TRIGGER class_enrolments_user_renamed AFTER UPDATE OF first_name, last_name, email ON users
WHEN old.first_name <> new.first_name OR old.last_name <> new.last_name OR old.email <> new.email BEGIN
  UPDATE class_enrolments SET first_name = new.first_name, last_name = new.last_name, email = new.email WHERE user_id = new.id;
END;
--> statement-breakpoint

CREATE TRIGGER class_tallies_user_deleted AFTER DELETE ON users BEGIN
  DELETE FROM class_tallies WHERE audience = 'user:' || old.id;
END;
--> statement-breakpoint

-- A class's own tallies go with it, once its enrolments have gone.
CREATE TRIGGER class_tallies_class_deleted AFTER DELETE ON classes BEGIN
  DELETE FROM class_tallies WHERE class_id = old.id;
END;
--> statement-breakpoint

-- Who joins or leaves an audience brings its class enrolments along.
CREATE TRIGGER group_members_classes_tallied AFTER INSERT ON group_members BEGIN
  INSERT INTO class_tallies (audience, class_id, registered, attended, no_show, cancelled)
    SELECT 'group:' || new.group_id, class_id * scope.one, (status = 'Registered'), (status = 'Attended'), (status = 'No Show'), (status = 'Cancelled')
    FROM class_enrolments CROSS JOIN (SELECT 0 AS one UNION ALL SELECT 1) AS scope WHERE user_id = new.user_id
    ON CONFLICT (audience, class_id) DO UPDATE SET
      registered = registered + excluded.registered, attended = attended + excluded.attended,
      no_show = no_show + excluded.no_show, cancelled = cancelled + excluded.cancelled;
END;
--> statement-breakpoint

CREATE TRIGGER group_members_classes_untallied AFTER DELETE ON group_members BEGIN
  INSERT INTO class_tallies (audience, class_id, registered, attended, no_show, cancelled)
    SELECT 'group:' || old.group_id, class_id * scope.one, -(status = 'Registered'), -(status = 'Attended'), -(status = 'No Show'), -(status = 'Cancelled')
    FROM class_enrolments CROSS JOIN (SELECT 0 AS one UNION ALL SELECT 1) AS scope WHERE user_id = old.user_id
    ON CONFLICT (audience, class_id) DO UPDATE SET
      registered = registered + excluded.registered, attended = attended + excluded.attended,
      no_show = no_show + excluded.no_show, cancelled = cancelled + excluded.cancelled;
END;
--> statement-breakpoint

CREATE TRIGGER portal_members_classes_tallied AFTER INSERT ON portal_members BEGIN
  INSERT INTO class_tallies (audience, class_id, registered, attended, no_show, cancelled)
    SELECT 'portal:' || new.portal_id, class_id * scope.one, (status = 'Registered'), (status = 'Attended'), (status = 'No Show'), (status = 'Cancelled')
    FROM class_enrolments CROSS JOIN (SELECT 0 AS one UNION ALL SELECT 1) AS scope WHERE user_id = new.user_id
    ON CONFLICT (audience, class_id) DO UPDATE SET
      registered = registered + excluded.registered, attended = attended + excluded.attended,
      no_show = no_show + excluded.no_show, cancelled = cancelled + excluded.cancelled;
END;
--> statement-breakpoint

CREATE TRIGGER portal_members_classes_untallied AFTER DELETE ON portal_members BEGIN
  INSERT INTO class_tallies (audience, class_id, registered, attended, no_show, cancelled)
    SELECT 'portal:' || old.portal_id, class_id * scope.one, -(status = 'Registered'), -(status = 'Attended'), -(status = 'No Show'), -(status = 'Cancelled')
    FROM class_enrolments CROSS JOIN (SELECT 0 AS one UNION ALL SELECT 1) AS scope WHERE user_id = old.user_id
    ON CONFLICT (audience, class_id) DO UPDATE SET
      registered = registered + excluded.registered, attended = attended + excluded.attended,
      no_show = no_show + excluded.no_show, cancelled = cancelled + excluded.cancelled;
END;
--> statement-breakpoint

CREATE TRIGGER reach_classes_tallied AFTER INSERT ON reach BEGIN
  INSERT INTO class_tallies (audience, class_id, registered, attended, no_show, cancelled)
    SELECT 'reach:' || new.supervisor_id, class_id * scope.one, (status = 'Registered'), (status = 'Attended'), (status = 'No Show'), (status = 'Cancelled')
    FROM class_enrolments CROSS JOIN (SELECT 0 AS one UNION ALL SELECT 1) AS scope WHERE user_id = new.user_id
    ON CONFLICT (audience, class_id) DO UPDATE SET
      registered = registered + excluded.registered, attended = attended + excluded.attended,
      no_show = no_show + excluded.no_show, cancelled = cancelled + excluded.cancelled;
END;
--> statement-breakpoint

CREATE TRIGGER reach_classes_untallied AFTER DELETE ON reach BEGIN
  INSERT INTO class_tallies (audience, class_id, registered, attended, no_show, cancelled)
    SELECT 'reach:' || old.supervisor_id, class_id * scope.one, -(status = 'Registered'), -(status = 'Attended'), -(status = 'No Show'), -(status = 'Cancelled')
    FROM class_enrolments CROSS JOIN (SELECT 0 AS one UNION ALL SELECT 1) AS scope WHERE user_id = old.user_id
    ON CONFLICT (audience, class_id) DO UPDATE SET
      registered = registered + excluded.registered, attended = attended + excluded.attended,
      no_show = no_show + excluded.no_show, cancelled = cancelled + excluded.cancelled;
END;
