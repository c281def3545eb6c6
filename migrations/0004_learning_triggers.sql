-- Learning: substring search, kept counts, and progress that follows the modules' states.

CREATE VIRTUAL TABLE courses_search USING fts5(text, tokenize = 'trigram', content = '', contentless_delete = 1);
--> statement-breakpoint
CREATE TRIGGER courses_inserted AFTER INSERT ON courses BEGIN
  INSERT INTO courses_search (rowid, text) VALUES (new.id, new.search_text);
  INSERT INTO counters (key, value) VALUES ('courses', 1) ON CONFLICT (key) DO UPDATE SET value = value + 1;
  INSERT INTO counters (key, value) VALUES ('courses:' || new.status, 1) ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER courses_search_changed AFTER UPDATE OF search_text ON courses WHEN old.search_text <> new.search_text BEGIN
  UPDATE courses_search SET text = new.search_text WHERE rowid = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER courses_deleted AFTER DELETE ON courses BEGIN
  DELETE FROM courses_search WHERE rowid = old.id;
  UPDATE counters SET value = value - 1 WHERE key = 'courses';
  UPDATE counters SET value = value - 1 WHERE key = 'courses:' || old.status;
END;
--> statement-breakpoint
CREATE TRIGGER courses_status_changed AFTER UPDATE OF status ON courses WHEN old.status <> new.status BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'courses:' || old.status;
  INSERT INTO counters (key, value) VALUES ('courses:' || new.status, 1) ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE modules_search USING fts5(text, tokenize = 'trigram', content = '', contentless_delete = 1);
--> statement-breakpoint
CREATE TRIGGER modules_inserted AFTER INSERT ON modules BEGIN
  INSERT INTO modules_search (rowid, text) VALUES (new.id, new.search_text);
  INSERT INTO counters (key, value) VALUES ('modules:' || new.type, 1) ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER modules_search_changed AFTER UPDATE OF search_text ON modules WHEN old.search_text <> new.search_text BEGIN
  UPDATE modules_search SET text = new.search_text WHERE rowid = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER modules_deleted AFTER DELETE ON modules BEGIN
  DELETE FROM modules_search WHERE rowid = old.id;
  UPDATE counters SET value = value - 1 WHERE key = 'modules:' || old.type;
END;
--> statement-breakpoint

CREATE TRIGGER course_modules_inserted AFTER INSERT ON course_modules BEGIN
  UPDATE courses SET module_count = module_count + 1, goal = goal + new.counts WHERE id = new.course_id;
  UPDATE modules SET course_count = course_count + 1 WHERE id = new.module_id;
END;
--> statement-breakpoint
CREATE TRIGGER course_modules_deleted AFTER DELETE ON course_modules BEGIN
  UPDATE courses SET module_count = module_count - 1, goal = goal - old.counts WHERE id = old.course_id;
  UPDATE modules SET course_count = course_count - 1 WHERE id = old.module_id;
END;
--> statement-breakpoint
CREATE TRIGGER course_modules_fixed BEFORE UPDATE ON course_modules BEGIN
  SELECT RAISE(ABORT, 'A module of a course is deleted and inserted, not updated.');
END;
--> statement-breakpoint

-- To whose tallies a user's enrolments belong, beside `all` and `user:…`.
CREATE VIEW audiences (user_id, audience) AS
  SELECT user_id, 'group:' || group_id FROM group_members
  UNION ALL SELECT user_id, 'portal:' || portal_id FROM portal_members
  UNION ALL SELECT user_id, 'reach:' || supervisor_id FROM reach;
--> statement-breakpoint

CREATE TRIGGER enrolments_inserted AFTER INSERT ON enrolments BEGIN
  INSERT INTO tallies (audience, course_id, not_started, in_progress, completed, time_spent)
    SELECT of.audience, scope.course_id, new.status = 'Not Started', new.status = 'In Progress', new.status = 'Completed', new.time_spent
    FROM (SELECT 'all' AS audience UNION ALL SELECT audience FROM audiences WHERE user_id = new.user_id) AS of
      CROSS JOIN (SELECT 0 AS course_id UNION ALL SELECT new.course_id) AS scope WHERE true
    UNION ALL SELECT 'user:' || new.user_id, 0, new.status = 'Not Started', new.status = 'In Progress', new.status = 'Completed', new.time_spent
    WHERE true
    ON CONFLICT (audience, course_id) DO UPDATE SET
      not_started = not_started + excluded.not_started, in_progress = in_progress + excluded.in_progress,
      completed = completed + excluded.completed, time_spent = time_spent + excluded.time_spent;
  UPDATE group_course_seats SET used_seats = used_seats + 1 WHERE group_id = new.group_id AND course_id = new.course_id;
  INSERT INTO activities (user_id, verb, course_id, course_name, actor_id, created_at)
    SELECT new.user_id, happened.verb, new.course_id, courses.name, nullif(happened.actor_id, new.user_id), happened.at
    FROM (SELECT 'ENROLLED' AS verb, new.enrolled_by AS actor_id, new.registered_at AS at
      UNION ALL SELECT 'STARTED', NULL, new.started_at WHERE new.started_at > 0
      UNION ALL SELECT 'COMPLETED', NULL, new.completed_at WHERE new.status = 'Completed') AS happened
      CROSS JOIN courses ON courses.id = new.course_id;
END;
--> statement-breakpoint

-- One change of state: every tally it belongs to, and the activity, once.
CREATE TRIGGER enrolments_moved AFTER UPDATE OF status, time_spent ON enrolments
WHEN old.status <> new.status OR old.time_spent <> new.time_spent BEGIN
  UPDATE tallies SET
    not_started = not_started + (new.status = 'Not Started') - (old.status = 'Not Started'),
    in_progress = in_progress + (new.status = 'In Progress') - (old.status = 'In Progress'),
    completed = completed + (new.status = 'Completed') - (old.status = 'Completed'),
    time_spent = time_spent + new.time_spent - old.time_spent
    WHERE audience IN (SELECT 'all' UNION ALL SELECT 'user:' || new.user_id
      UNION ALL SELECT audience FROM audiences WHERE user_id = new.user_id)
      AND course_id IN (0, new.course_id);
  INSERT INTO activities (user_id, verb, course_id, course_name, created_at)
    SELECT new.user_id, happened.verb, new.course_id, courses.name, happened.at
    FROM (SELECT 'STARTED' AS verb, new.started_at AS at WHERE old.started_at = 0 AND new.started_at > 0
      UNION ALL SELECT 'COMPLETED', new.completed_at WHERE old.status <> 'Completed' AND new.status = 'Completed') AS happened
      CROSS JOIN courses ON courses.id = new.course_id;
END;
--> statement-breakpoint
CREATE TRIGGER enrolments_deleted AFTER DELETE ON enrolments BEGIN
  UPDATE tallies SET
    not_started = not_started - (old.status = 'Not Started'), in_progress = in_progress - (old.status = 'In Progress'),
    completed = completed - (old.status = 'Completed'), time_spent = time_spent - old.time_spent
    WHERE audience IN (SELECT 'all' UNION ALL SELECT 'user:' || old.user_id
      UNION ALL SELECT audience FROM audiences WHERE user_id = old.user_id)
      AND course_id IN (0, old.course_id);
  UPDATE group_course_seats SET used_seats = used_seats - 1 WHERE group_id = old.group_id AND course_id = old.course_id;
END;
--> statement-breakpoint
CREATE TRIGGER enrolments_user_renamed AFTER UPDATE OF first_name, last_name, email ON users
WHEN old.first_name <> new.first_name OR old.last_name <> new.last_name OR old.email <> new.email BEGIN
  UPDATE enrolments SET first_name = new.first_name, last_name = new.last_name, email = new.email WHERE user_id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER enrolments_user_deleted AFTER DELETE ON users BEGIN
  DELETE FROM tallies WHERE audience = 'user:' || old.id;
  DELETE FROM counters WHERE key = 'activities:' || old.id;
END;
--> statement-breakpoint
CREATE TRIGGER group_course_seats_inserted AFTER INSERT ON group_course_seats BEGIN
  UPDATE group_course_seats SET used_seats = (
      SELECT count(*) FROM enrolments WHERE group_id = new.group_id AND course_id = new.course_id)
    WHERE group_id = new.group_id AND course_id = new.course_id;
END;
--> statement-breakpoint

-- Who joins or leaves an audience brings its enrolments along.
CREATE TRIGGER group_members_tallied AFTER INSERT ON group_members BEGIN
  INSERT INTO tallies (audience, course_id, not_started, in_progress, completed, time_spent)
    SELECT 'group:' || new.group_id, enrolments.course_id * scope.one, status = 'Not Started', status = 'In Progress', status = 'Completed', time_spent
    FROM enrolments CROSS JOIN (SELECT 0 AS one UNION ALL SELECT 1) AS scope WHERE user_id = new.user_id
    ON CONFLICT (audience, course_id) DO UPDATE SET
      not_started = not_started + excluded.not_started, in_progress = in_progress + excluded.in_progress,
      completed = completed + excluded.completed, time_spent = time_spent + excluded.time_spent;
END;
--> statement-breakpoint
CREATE TRIGGER group_members_untallied AFTER DELETE ON group_members BEGIN
  INSERT INTO tallies (audience, course_id, not_started, in_progress, completed, time_spent)
    SELECT 'group:' || old.group_id, enrolments.course_id * scope.one, -(status = 'Not Started'), -(status = 'In Progress'), -(status = 'Completed'), -time_spent
    FROM enrolments CROSS JOIN (SELECT 0 AS one UNION ALL SELECT 1) AS scope WHERE user_id = old.user_id
    ON CONFLICT (audience, course_id) DO UPDATE SET
      not_started = not_started + excluded.not_started, in_progress = in_progress + excluded.in_progress,
      completed = completed + excluded.completed, time_spent = time_spent + excluded.time_spent;
END;
--> statement-breakpoint
CREATE TRIGGER portal_members_tallied AFTER INSERT ON portal_members BEGIN
  INSERT INTO tallies (audience, course_id, not_started, in_progress, completed, time_spent)
    SELECT 'portal:' || new.portal_id, enrolments.course_id * scope.one, status = 'Not Started', status = 'In Progress', status = 'Completed', time_spent
    FROM enrolments CROSS JOIN (SELECT 0 AS one UNION ALL SELECT 1) AS scope WHERE user_id = new.user_id
    ON CONFLICT (audience, course_id) DO UPDATE SET
      not_started = not_started + excluded.not_started, in_progress = in_progress + excluded.in_progress,
      completed = completed + excluded.completed, time_spent = time_spent + excluded.time_spent;
END;
--> statement-breakpoint
CREATE TRIGGER portal_members_untallied AFTER DELETE ON portal_members BEGIN
  INSERT INTO tallies (audience, course_id, not_started, in_progress, completed, time_spent)
    SELECT 'portal:' || old.portal_id, enrolments.course_id * scope.one, -(status = 'Not Started'), -(status = 'In Progress'), -(status = 'Completed'), -time_spent
    FROM enrolments CROSS JOIN (SELECT 0 AS one UNION ALL SELECT 1) AS scope WHERE user_id = old.user_id
    ON CONFLICT (audience, course_id) DO UPDATE SET
      not_started = not_started + excluded.not_started, in_progress = in_progress + excluded.in_progress,
      completed = completed + excluded.completed, time_spent = time_spent + excluded.time_spent;
END;
--> statement-breakpoint
CREATE TRIGGER reach_tallied AFTER INSERT ON reach BEGIN
  INSERT INTO tallies (audience, course_id, not_started, in_progress, completed, time_spent)
    SELECT 'reach:' || new.supervisor_id, enrolments.course_id * scope.one, status = 'Not Started', status = 'In Progress', status = 'Completed', time_spent
    FROM enrolments CROSS JOIN (SELECT 0 AS one UNION ALL SELECT 1) AS scope WHERE user_id = new.user_id
    ON CONFLICT (audience, course_id) DO UPDATE SET
      not_started = not_started + excluded.not_started, in_progress = in_progress + excluded.in_progress,
      completed = completed + excluded.completed, time_spent = time_spent + excluded.time_spent;
END;
--> statement-breakpoint
CREATE TRIGGER reach_untallied AFTER DELETE ON reach BEGIN
  INSERT INTO tallies (audience, course_id, not_started, in_progress, completed, time_spent)
    SELECT 'reach:' || old.supervisor_id, enrolments.course_id * scope.one, -(status = 'Not Started'), -(status = 'In Progress'), -(status = 'Completed'), -time_spent
    FROM enrolments CROSS JOIN (SELECT 0 AS one UNION ALL SELECT 1) AS scope WHERE user_id = old.user_id
    ON CONFLICT (audience, course_id) DO UPDATE SET
      not_started = not_started + excluded.not_started, in_progress = in_progress + excluded.in_progress,
      completed = completed + excluded.completed, time_spent = time_spent + excluded.time_spent;
END;
--> statement-breakpoint

-- A registration's progress follows its modules' states, whatever writes them.
CREATE TRIGGER module_statuses_inserted AFTER INSERT ON module_statuses BEGIN
  UPDATE enrolments SET
    done = enrolments.done + progress.step,
    percent = max(enrolments.percent, min(100, coalesce((enrolments.done + progress.step) * 100 / nullif(progress.goal, 0), 0))),
    status = iif(enrolments.status = 'Completed' OR (progress.goal > 0 AND enrolments.done + progress.step >= progress.goal), 'Completed',
      iif(new.status = 'Not Started', enrolments.status, 'In Progress')),
    started_at = iif(enrolments.started_at = 0 AND new.status <> 'Not Started',
      iif(new.started_at > 0, new.started_at, new.last_accessed_at), enrolments.started_at),
    completed_at = iif(enrolments.status <> 'Completed' AND progress.goal > 0 AND enrolments.done + progress.step >= progress.goal,
      iif(new.completed_at > 0, new.completed_at, new.last_accessed_at), enrolments.completed_at),
    last_accessed_at = max(enrolments.last_accessed_at, new.last_accessed_at),
    time_spent = enrolments.time_spent + new.time_spent
    FROM (
      SELECT registration.id AS id, courses.goal AS goal, coalesce(course_modules.counts, 0) * (new.status = 'Completed') AS step
      FROM enrolments AS registration
        JOIN courses ON courses.id = registration.course_id
        LEFT JOIN course_modules ON course_modules.course_id = registration.course_id AND course_modules.module_id = new.module_id
      WHERE registration.id = new.enrolment_id
    ) AS progress
    WHERE enrolments.id = progress.id;
END;
--> statement-breakpoint
CREATE TRIGGER module_statuses_moved AFTER UPDATE OF status, time_spent, last_accessed_at ON module_statuses BEGIN
  UPDATE enrolments SET
    done = enrolments.done + progress.step,
    percent = max(enrolments.percent, min(100, coalesce((enrolments.done + progress.step) * 100 / nullif(progress.goal, 0), 0))),
    status = iif(enrolments.status = 'Completed' OR (progress.goal > 0 AND enrolments.done + progress.step >= progress.goal), 'Completed',
      iif(new.status = 'Not Started', enrolments.status, 'In Progress')),
    started_at = iif(enrolments.started_at = 0 AND new.status <> 'Not Started',
      iif(new.started_at > 0, new.started_at, new.last_accessed_at), enrolments.started_at),
    completed_at = iif(enrolments.status <> 'Completed' AND progress.goal > 0 AND enrolments.done + progress.step >= progress.goal,
      iif(new.completed_at > 0, new.completed_at, new.last_accessed_at), enrolments.completed_at),
    last_accessed_at = max(enrolments.last_accessed_at, new.last_accessed_at),
    time_spent = enrolments.time_spent + new.time_spent - old.time_spent
    FROM (
      SELECT registration.id AS id, courses.goal AS goal, coalesce(course_modules.counts, 0) * ((new.status = 'Completed') - (old.status = 'Completed')) AS step
      FROM enrolments AS registration
        JOIN courses ON courses.id = registration.course_id
        LEFT JOIN course_modules ON course_modules.course_id = registration.course_id AND course_modules.module_id = new.module_id
      WHERE registration.id = new.enrolment_id
    ) AS progress
    WHERE enrolments.id = progress.id;
END;
--> statement-breakpoint

CREATE TRIGGER activities_inserted AFTER INSERT ON activities BEGIN
  INSERT INTO counters (key, value) VALUES ('activities', 1), ('activities:' || new.user_id, 1)
    ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER activities_deleted AFTER DELETE ON activities BEGIN
  UPDATE counters SET value = value - 1 WHERE key IN ('activities', 'activities:' || old.user_id);
END;
