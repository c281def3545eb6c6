CREATE TRIGGER calendar_enrollment_deleted AFTER DELETE ON class_enrollments
WHEN old.status <> 'Cancelled' AND EXISTS (SELECT 1 FROM calendar_subscriptions WHERE user_id = old.user_id) BEGIN
  INSERT INTO calendar_cancellations
    (user_id, class_id, count, version, course_name, time_zone, start_at, end_at, canceled_at)
  SELECT old.user_id, classes.id, 1, classes.version,
    coalesce((SELECT name FROM courses WHERE courses.id = classes.course_id), ''),
    classes.time_zone, classes.start_at,
    coalesce((SELECT min(end_at) FROM class_sessions WHERE class_id = classes.id), classes.end_at),
    CAST(unixepoch('subsec') * 1000 AS INTEGER)
  FROM classes WHERE classes.id = old.class_id
  ON CONFLICT (user_id, class_id) DO UPDATE SET
    count = count + 1, version = excluded.version, course_name = excluded.course_name,
    time_zone = excluded.time_zone, start_at = excluded.start_at, end_at = excluded.end_at,
    canceled_at = excluded.canceled_at;
END;
--> statement-breakpoint
CREATE TRIGGER calendar_instructor_changed AFTER UPDATE OF instructor_id ON classes
WHEN old.instructor_id <> new.instructor_id AND EXISTS (SELECT 1 FROM calendar_subscriptions WHERE user_id = old.instructor_id) BEGIN
  INSERT INTO calendar_cancellations
    (user_id, class_id, count, version, course_name, time_zone, start_at, end_at, canceled_at)
  SELECT old.instructor_id, old.id, 1, old.version,
    coalesce((SELECT name FROM courses WHERE courses.id = old.course_id), ''),
    old.time_zone, old.start_at,
    coalesce((SELECT min(end_at) FROM class_sessions WHERE class_id = old.id), old.end_at),
    CAST(unixepoch('subsec') * 1000 AS INTEGER)
  WHERE true
  ON CONFLICT (user_id, class_id) DO UPDATE SET
    count = count + 1, version = excluded.version, course_name = excluded.course_name,
    time_zone = excluded.time_zone, start_at = excluded.start_at, end_at = excluded.end_at,
    canceled_at = excluded.canceled_at;
END;
--> statement-breakpoint
CREATE TRIGGER calendar_class_deleted BEFORE DELETE ON classes
WHEN EXISTS (SELECT 1 FROM calendar_subscriptions WHERE user_id = old.instructor_id) BEGIN
  INSERT INTO calendar_cancellations
    (user_id, class_id, count, version, course_name, time_zone, start_at, end_at, canceled_at)
  SELECT old.instructor_id, old.id, 1, old.version,
    coalesce((SELECT name FROM courses WHERE courses.id = old.course_id), ''),
    old.time_zone, old.start_at,
    coalesce((SELECT min(end_at) FROM class_sessions WHERE class_id = old.id), old.end_at),
    CAST(unixepoch('subsec') * 1000 AS INTEGER)
  WHERE true
  ON CONFLICT (user_id, class_id) DO UPDATE SET
    count = count + 1, version = excluded.version, course_name = excluded.course_name,
    time_zone = excluded.time_zone, start_at = excluded.start_at, end_at = excluded.end_at,
    canceled_at = excluded.canceled_at;
END;
--> statement-breakpoint
CREATE TRIGGER calendar_user_disabled AFTER UPDATE OF disabled ON users
WHEN new.disabled AND NOT old.disabled BEGIN
  DELETE FROM calendar_cancellations WHERE user_id = new.id;
  DELETE FROM calendar_subscriptions WHERE user_id = new.id;
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE categories_search USING fts5(text, tokenize = 'trigram', content = '', contentless_delete = 1);
--> statement-breakpoint
CREATE VIRTUAL TABLE categories_terms USING fts5vocab('categories_search', 'row');
--> statement-breakpoint
CREATE TRIGGER categories_search_changed AFTER UPDATE OF search_text ON categories
WHEN old.search_text <> new.search_text BEGIN
  UPDATE categories_search SET text = new.search_text WHERE rowid = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER categories_inserted AFTER INSERT ON categories BEGIN
  INSERT INTO categories_search (rowid, text) VALUES (new.id, new.search_text);
  INSERT INTO counters (key, value)
  VALUES ('categories:' || new.type, 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER categories_deleted AFTER UPDATE OF deleted_at ON categories
WHEN old.deleted_at IS NULL AND new.deleted_at IS NOT NULL BEGIN
  DELETE FROM categories_search WHERE rowid = old.id;
  UPDATE counters SET value = value - 1 WHERE key = 'categories:' || new.type;
END;
--> statement-breakpoint
CREATE TRIGGER course_categories_existing_only BEFORE INSERT ON course_categories
WHEN NOT EXISTS (
  SELECT 1 FROM categories
  WHERE id = new.category_id AND type = 'course' AND deleted_at IS NULL) BEGIN
  SELECT RAISE(IGNORE);
END;
--> statement-breakpoint
CREATE TRIGGER course_categories_counted AFTER INSERT ON course_categories BEGIN
  UPDATE categories SET use_count = use_count + 1 WHERE id = new.category_id;
END;
--> statement-breakpoint
CREATE TRIGGER course_categories_uncounted AFTER DELETE ON course_categories BEGIN
  UPDATE categories SET use_count = use_count - 1
  WHERE id = old.category_id AND deleted_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER module_categories_existing_only BEFORE INSERT ON module_categories
WHEN NOT EXISTS (
  SELECT 1 FROM categories
  WHERE id = new.category_id AND type = 'module' AND deleted_at IS NULL) BEGIN
  SELECT RAISE(IGNORE);
END;
--> statement-breakpoint
CREATE TRIGGER module_categories_counted AFTER INSERT ON module_categories BEGIN
  UPDATE categories SET use_count = use_count + 1 WHERE id = new.category_id;
END;
--> statement-breakpoint
CREATE TRIGGER module_categories_uncounted AFTER DELETE ON module_categories BEGIN
  UPDATE categories SET use_count = use_count - 1
  WHERE id = old.category_id AND deleted_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER user_categories_existing_only BEFORE INSERT ON user_categories
WHEN NOT EXISTS (
  SELECT 1 FROM categories
  WHERE id = new.category_id AND type = 'user' AND deleted_at IS NULL) BEGIN
  SELECT RAISE(IGNORE);
END;
--> statement-breakpoint
CREATE TRIGGER user_categories_counted AFTER INSERT ON user_categories BEGIN
  UPDATE categories SET use_count = use_count + 1 WHERE id = new.category_id;
END;
--> statement-breakpoint
CREATE TRIGGER user_categories_uncounted AFTER DELETE ON user_categories BEGIN
  UPDATE categories SET use_count = use_count - 1
  WHERE id = old.category_id AND deleted_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER quiz_questions_categorized AFTER INSERT ON quiz_questions
WHEN new.category_id IS NOT NULL BEGIN
  UPDATE quiz_questions SET category_id = NULL
  WHERE id = new.id AND NOT EXISTS (
    SELECT 1 FROM categories
    WHERE id = new.category_id AND type = 'question' AND deleted_at IS NULL);
  UPDATE categories SET use_count = use_count + 1
  WHERE id = new.category_id AND type = 'question' AND deleted_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER quiz_questions_uncategorized AFTER DELETE ON quiz_questions
WHEN old.category_id IS NOT NULL BEGIN
  UPDATE categories SET use_count = use_count - 1
  WHERE id = old.category_id AND deleted_at IS NULL;
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE badges_search USING fts5(text, tokenize = 'trigram', content = '', contentless_delete = 1);
--> statement-breakpoint
CREATE VIRTUAL TABLE badges_terms USING fts5vocab('badges_search', 'row');
--> statement-breakpoint
CREATE TRIGGER badges_search_changed AFTER UPDATE OF search_text ON badges
WHEN old.search_text <> new.search_text BEGIN
  UPDATE badges_search SET text = new.search_text WHERE rowid = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER badges_inserted AFTER INSERT ON badges BEGIN
  INSERT INTO badges_search (rowid, text) VALUES (new.id, new.search_text);
  INSERT INTO counters (key, value)
  VALUES ('badges', 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER badges_deleted AFTER DELETE ON badges BEGIN
  DELETE FROM badges_search WHERE rowid = old.id;
  UPDATE counters SET value = value - 1 WHERE key = 'badges';
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE gamification_events_search USING fts5(text, tokenize = 'trigram', content = '', contentless_delete = 1);
--> statement-breakpoint
CREATE VIRTUAL TABLE gamification_events_terms USING fts5vocab('gamification_events_search', 'row');
--> statement-breakpoint
CREATE TRIGGER gamification_events_search_changed AFTER UPDATE OF search_text ON gamification_events
WHEN old.search_text <> new.search_text BEGIN
  UPDATE gamification_events_search SET text = new.search_text WHERE rowid = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER gamification_events_inserted AFTER INSERT ON gamification_events BEGIN
  INSERT INTO gamification_events_search (rowid, text) VALUES (new.id, new.search_text);
  INSERT INTO counters (key, value)
  VALUES ('gamification_events', 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER gamification_events_deleted AFTER DELETE ON gamification_events BEGIN
  DELETE FROM gamification_events_search WHERE rowid = old.id;
  UPDATE counters SET value = value - 1 WHERE key = 'gamification_events';
END;
--> statement-breakpoint
CREATE TRIGGER awards_inserted AFTER INSERT ON gamification_awards BEGIN
  INSERT INTO user_badges (user_id, badge_id, count, last_awarded_at)
  SELECT new.user_id, new.badge_id, 1, new.awarded_at WHERE new.badge_id IS NOT NULL
  ON CONFLICT (user_id, badge_id) DO UPDATE SET
    count = count + 1,
    last_awarded_at = max(last_awarded_at, excluded.last_awarded_at);
  INSERT INTO user_scores (user_id, points, badge_count, ranked)
  SELECT id, new.points, new.badge_id IS NOT NULL, NOT disabled FROM users WHERE id = new.user_id
  ON CONFLICT (user_id) DO UPDATE SET
    points = points + excluded.points,
    badge_count = badge_count + excluded.badge_count;
END;
--> statement-breakpoint
CREATE TRIGGER user_scores_inserted AFTER INSERT ON user_scores
WHEN new.ranked BEGIN
  INSERT INTO score_counts (level, bucket, users)
  SELECT level, new.points / width, 1
  FROM (
    SELECT 0 AS level, 1 AS width
    UNION ALL SELECT 1, 100
    UNION ALL SELECT 2, 10000
    UNION ALL SELECT 3, 1000000
  )
  WHERE true
  ON CONFLICT (level, bucket) DO UPDATE SET users = users + 1;
END;
--> statement-breakpoint
CREATE TRIGGER user_scores_updated AFTER UPDATE OF points, ranked ON user_scores
WHEN old.points <> new.points OR old.ranked <> new.ranked BEGIN
  UPDATE score_counts SET users = users - 1
  WHERE (level, bucket) IN (
    SELECT level, old.points / width
    FROM (
    SELECT 0 AS level, 1 AS width
    UNION ALL SELECT 1, 100
    UNION ALL SELECT 2, 10000
    UNION ALL SELECT 3, 1000000
  )
    WHERE old.ranked AND NOT (old.ranked AND new.ranked AND old.points / width = new.points / width));
  INSERT INTO score_counts (level, bucket, users)
  SELECT level, new.points / width, 1
  FROM (
    SELECT 0 AS level, 1 AS width
    UNION ALL SELECT 1, 100
    UNION ALL SELECT 2, 10000
    UNION ALL SELECT 3, 1000000
  )
  WHERE new.ranked AND NOT (old.ranked AND new.ranked AND old.points / width = new.points / width)
  ON CONFLICT (level, bucket) DO UPDATE SET users = users + 1;
END;
--> statement-breakpoint
CREATE TRIGGER user_scores_deleted AFTER DELETE ON user_scores
WHEN old.ranked BEGIN
  UPDATE score_counts SET users = users - 1
  WHERE (level, bucket) IN (
    SELECT level, old.points / width
    FROM (
    SELECT 0 AS level, 1 AS width
    UNION ALL SELECT 1, 100
    UNION ALL SELECT 2, 10000
    UNION ALL SELECT 3, 1000000
  )
    WHERE true);
END;
--> statement-breakpoint
CREATE TRIGGER user_scores_user_disabled AFTER UPDATE OF disabled ON users
WHEN old.disabled <> new.disabled BEGIN
  UPDATE user_scores SET ranked = NOT new.disabled WHERE user_id = new.id;
END;
--> statement-breakpoint
CREATE VIEW audit_entries (performed_by, action, subject, subject_id, effect_on, details, work, created_at) AS
  SELECT 0, '', '', 0, '', '', 0, 0 WHERE false;
--> statement-breakpoint
CREATE TRIGGER audit_entries_insert INSTEAD OF INSERT ON audit_entries BEGIN
  INSERT INTO audit_logs (performed_by, action, subject, subject_id, effect_on, details, work, created_at, performer_number, kind_number)
  VALUES (
    new.performed_by, new.action, new.subject, new.subject_id, new.effect_on, new.details, new.work,
    max(new.created_at, coalesce((SELECT created_at FROM audit_logs WHERE true ORDER BY id DESC LIMIT 1), 0)),
    1 + coalesce((SELECT performer_number FROM audit_logs WHERE performed_by IS new.performed_by ORDER BY id DESC LIMIT 1), 0),
    1 + coalesce((SELECT kind_number FROM audit_logs WHERE subject = new.subject AND action = new.action ORDER BY id DESC LIMIT 1), 0)
  );
END;
--> statement-breakpoint
CREATE TRIGGER audit_logs_people AFTER INSERT ON audit_logs
WHEN new.others BEGIN
  INSERT INTO audit_people (user_id, log_id)
  SELECT DISTINCT value, new.id
  FROM (
    SELECT new.subject_id AS value WHERE new.subject IN ('user', 'badge award')
    UNION ALL SELECT coalesce(new.details ->> '$.userId', new.details ->> '$.user_id')
    UNION ALL
    SELECT member.value
    FROM json_each(new.details) AS list
      CROSS JOIN json_each(iif(list.type = 'array', list.value, '[]')) AS member
    WHERE list.key IN ('user_ids', 'add_user_ids', 'remove_user_ids', 'member_ids', 'add_member_ids', 'remove_member_ids', 'admin_ids')
  )
  WHERE typeof(value) = 'integer' AND value IS NOT new.performed_by;
END;
--> statement-breakpoint
CREATE TRIGGER audit_logs_deletion_refused BEFORE DELETE ON audit_logs BEGIN
  SELECT RAISE(ABORT, 'An audit row is never deleted.');
END;
--> statement-breakpoint
CREATE TRIGGER audit_logs_update_refused BEFORE UPDATE ON audit_logs
WHEN old.id IS NOT new.id
OR old.performed_by IS NOT new.performed_by
OR old.action IS NOT new.action
OR old.subject IS NOT new.subject
OR old.subject_id IS NOT new.subject_id
OR old.created_at IS NOT new.created_at
OR old.performer_number IS NOT new.performer_number
OR old.kind_number IS NOT new.kind_number
OR old.others IS NOT new.others
OR NOT EXISTS (SELECT 1 FROM erasures WHERE due_at IS NOT NULL) BEGIN
  SELECT RAISE(ABORT, 'An audit row is never changed.');
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE certificate_templates_search USING fts5(text, tokenize = 'trigram', content = '', contentless_delete = 1);
--> statement-breakpoint
CREATE VIRTUAL TABLE certificate_templates_terms USING fts5vocab('certificate_templates_search', 'row');
--> statement-breakpoint
CREATE TRIGGER certificate_templates_search_changed AFTER UPDATE OF search_text ON certificate_templates
WHEN old.search_text <> new.search_text BEGIN
  UPDATE certificate_templates_search SET text = new.search_text WHERE rowid = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER certificate_templates_inserted AFTER INSERT ON certificate_templates BEGIN
  INSERT INTO certificate_templates_search (rowid, text) VALUES (new.id, new.search_text);
  INSERT INTO counters (key, value)
  VALUES ('certificate_templates', 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER certificate_templates_deleted AFTER DELETE ON certificate_templates BEGIN
  DELETE FROM certificate_templates_search WHERE rowid = old.id;
  UPDATE counters SET value = value - 1 WHERE key = 'certificate_templates';
END;
--> statement-breakpoint
CREATE TRIGGER certificates_inserted AFTER INSERT ON certificates BEGIN
  UPDATE enrollments SET certificate_count = certificate_count + 1
  WHERE id = new.enrollment_id;
  UPDATE class_enrollments SET certificate_count = certificate_count + 1
  WHERE id = new.class_enrollment_id;
END;
--> statement-breakpoint
CREATE TRIGGER certificates_revoked AFTER UPDATE OF revoked_at ON certificates
WHEN old.revoked_at = 0 AND new.revoked_at > 0 BEGIN
  UPDATE enrollments SET certificate_count = certificate_count - 1, updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER))
  WHERE id = new.enrollment_id;
  UPDATE class_enrollments SET certificate_count = certificate_count - 1
  WHERE id = new.class_enrollment_id;
END;
--> statement-breakpoint
CREATE TRIGGER certificates_deleted AFTER DELETE ON certificates
WHEN old.revoked_at = 0 BEGIN
  UPDATE enrollments SET certificate_count = certificate_count - 1
  WHERE id = old.enrollment_id;
  UPDATE class_enrollments SET certificate_count = certificate_count - 1
  WHERE id = old.class_enrollment_id;
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE announcements_search USING fts5(text, tokenize = 'trigram', content = '', contentless_delete = 1);
--> statement-breakpoint
CREATE VIRTUAL TABLE announcements_terms USING fts5vocab('announcements_search', 'row');
--> statement-breakpoint
CREATE TRIGGER announcements_search_changed AFTER UPDATE OF search_text ON announcements
WHEN old.search_text <> new.search_text BEGIN
  UPDATE announcements_search SET text = new.search_text WHERE rowid = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER announcements_inserted AFTER INSERT ON announcements BEGIN
  INSERT INTO announcements_search (rowid, text) VALUES (new.id, new.search_text);
  INSERT INTO counters (key, value)
  VALUES ('announcements', 1), ('announcements:' || new.state, 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER announcements_state_changed AFTER UPDATE OF state ON announcements
WHEN old.state <> new.state BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'announcements:' || old.state;
  INSERT INTO counters (key, value)
  VALUES ('announcements:' || new.state, 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER announcements_deleted AFTER DELETE ON announcements BEGIN
  DELETE FROM announcements_search WHERE rowid = old.id;
  INSERT INTO background_jobs (id, kind, params, total, due_at, created_at)
  SELECT 'announcement-' || old.id, 'announcement.withdraw', json_object('ids', json_array(old.id)),
    (SELECT count(*) FROM outbox WHERE dedupe >= 'announcement:' || old.id || ':' AND dedupe < 'announcement:' || old.id || ';' AND +status = 'queued'), 0, unixepoch('subsec') * 1000
  WHERE EXISTS (SELECT 1 FROM outbox WHERE dedupe >= 'announcement:' || old.id || ':' AND dedupe < 'announcement:' || old.id || ';' AND +status = 'queued' LIMIT 1 OFFSET 1000) AND NOT EXISTS (
    SELECT 1 FROM background_jobs
    WHERE due_at IS NOT NULL AND kind = 'announcement.withdraw'
      AND old.id IN (SELECT value FROM json_each(params, '$.ids')));
  DELETE FROM outbox WHERE dedupe >= 'announcement:' || old.id || ':' AND dedupe < 'announcement:' || old.id || ';' AND +status = 'queued' AND NOT EXISTS (
          SELECT 1 FROM background_jobs
          WHERE due_at IS NOT NULL AND kind = 'announcement.withdraw'
            AND old.id IN (SELECT value FROM json_each(params, '$.ids')));
  UPDATE counters SET value = value - 1 WHERE key IN ('announcements', 'announcements:' || old.state);
END;
--> statement-breakpoint
CREATE TRIGGER announcement_users_deleted AFTER DELETE ON announcement_users BEGIN
  UPDATE announcements SET user_count = user_count - 1 WHERE id = old.announcement_id;
END;
--> statement-breakpoint
CREATE TRIGGER enrollments_points_added AFTER INSERT ON module_statuses
WHEN new.points_awarded IS NOT NULL BEGIN
  UPDATE enrollments SET
    points_awarded = (
      SELECT coalesce(sum(state.points_awarded), 0)
      FROM module_statuses AS state
        JOIN course_modules AS part ON part.course_id = enrollments.course_id AND part.module_id = state.module_id
      WHERE state.enrollment_id = enrollments.id),
    points_possible = (
      SELECT coalesce(sum((SELECT total_points FROM modules WHERE id = state.module_id)), 0)
      FROM module_statuses AS state
        JOIN course_modules AS part ON part.course_id = enrollments.course_id AND part.module_id = state.module_id
      WHERE state.enrollment_id = enrollments.id
        AND +state.points_awarded IS NOT NULL)
  WHERE id = new.enrollment_id;
  UPDATE enrollments SET updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER))
  WHERE id = new.enrollment_id AND NOT (new.status = 'Completed' AND EXISTS (
    SELECT 1 FROM course_modules AS part
    WHERE part.course_id = enrollments.course_id AND part.module_id = new.module_id AND part.counts
  ));
END;
--> statement-breakpoint
CREATE TRIGGER enrollments_points_changed AFTER UPDATE OF points_awarded ON module_statuses
WHEN old.points_awarded IS NOT new.points_awarded BEGIN
  UPDATE enrollments SET
    points_awarded = (
      SELECT coalesce(sum(state.points_awarded), 0)
      FROM module_statuses AS state
        JOIN course_modules AS part ON part.course_id = enrollments.course_id AND part.module_id = state.module_id
      WHERE state.enrollment_id = enrollments.id),
    points_possible = (
      SELECT coalesce(sum((SELECT total_points FROM modules WHERE id = state.module_id)), 0)
      FROM module_statuses AS state
        JOIN course_modules AS part ON part.course_id = enrollments.course_id AND part.module_id = state.module_id
      WHERE state.enrollment_id = enrollments.id
        AND +state.points_awarded IS NOT NULL)
  WHERE id = new.enrollment_id;
END;
--> statement-breakpoint
CREATE TRIGGER enrollments_points_dated AFTER UPDATE OF points_awarded ON module_statuses
WHEN old.points_awarded IS NOT new.points_awarded AND new.status <> 'Not Started' BEGIN
  UPDATE enrollments SET updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER))
  WHERE id = new.enrollment_id AND NOT (old.status <> new.status AND new.status = 'Completed' AND EXISTS (
    SELECT 1 FROM course_modules AS part
    WHERE part.course_id = enrollments.course_id AND part.module_id = new.module_id AND part.counts
  ));
END;
--> statement-breakpoint
CREATE TRIGGER enrollments_points_removed AFTER DELETE ON module_statuses
WHEN old.points_awarded IS NOT NULL BEGIN
  UPDATE enrollments SET
    points_awarded = (
      SELECT coalesce(sum(state.points_awarded), 0)
      FROM module_statuses AS state
        JOIN course_modules AS part ON part.course_id = enrollments.course_id AND part.module_id = state.module_id
      WHERE state.enrollment_id = enrollments.id),
    points_possible = (
      SELECT coalesce(sum((SELECT total_points FROM modules WHERE id = state.module_id)), 0)
      FROM module_statuses AS state
        JOIN course_modules AS part ON part.course_id = enrollments.course_id AND part.module_id = state.module_id
      WHERE state.enrollment_id = enrollments.id
        AND +state.points_awarded IS NOT NULL)
  WHERE id = old.enrollment_id;
END;
--> statement-breakpoint
CREATE TRIGGER users_created_event AFTER INSERT ON users BEGIN
  INSERT INTO events (type, occurred_at, data)
  SELECT 'user.created', max(
    CAST(unixepoch('subsec') * 1000 AS INTEGER),
    coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)),
    json_array(json_array(new.id, trim(new.first_name || ' ' || new.last_name), new.email, new.first_name, new.last_name, new.user_type))
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER erasures_created_event AFTER INSERT ON erasures BEGIN
  INSERT INTO events (type, occurred_at, data)
  SELECT 'user.erased', max(
    CAST(unixepoch('subsec') * 1000 AS INTEGER),
    coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)),
    json_array(json_array(new.user_id))
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER enrollments_created_event AFTER INSERT ON enrollments BEGIN
  INSERT INTO events (type, occurred_at, data)
  SELECT 'enrollment.created', max(
    CAST(unixepoch('subsec') * 1000 AS INTEGER),
    coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)),
    json_array(json((SELECT json_array(id, trim(first_name || ' ' || last_name), email) FROM users WHERE id = new.user_id)), new.id, json((SELECT json_array(id, name) FROM courses WHERE id = new.course_id)), new.group_id, new.enrolled_by, new.registered_at)
  WHERE true;
  INSERT INTO events (type, occurred_at, data)
  SELECT 'enrollment.completed', max(
    CAST(unixepoch('subsec') * 1000 AS INTEGER),
    coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)),
    json_array(json((SELECT json_array(id, trim(first_name || ' ' || last_name), email) FROM users WHERE id = new.user_id)), new.id, json((SELECT json_array(id, name) FROM courses WHERE id = new.course_id)), new.completed_at)
  WHERE new.status = 'Completed';
END;
--> statement-breakpoint
CREATE TRIGGER enrollments_status_event AFTER UPDATE OF status ON enrollments
WHEN old.status <> new.status AND new.status IN ('Completed') BEGIN
  INSERT INTO events (type, occurred_at, data)
  SELECT 'enrollment.completed', max(
    CAST(unixepoch('subsec') * 1000 AS INTEGER),
    coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)),
    json_array(json((SELECT json_array(id, trim(first_name || ' ' || last_name), email) FROM users WHERE id = new.user_id)), new.id, json((SELECT json_array(id, name) FROM courses WHERE id = new.course_id)), new.completed_at)
  WHERE new.status = 'Completed';
END;
--> statement-breakpoint
CREATE TRIGGER quiz_attempts_created_event AFTER INSERT ON quiz_attempts BEGIN
  INSERT INTO events (type, occurred_at, data)
  SELECT 'quiz.submitted', max(
    CAST(unixepoch('subsec') * 1000 AS INTEGER),
    coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)),
    json_array(json((SELECT json_array(id, trim(first_name || ' ' || last_name), email) FROM users WHERE id = new.user_id)), new.id, new.enrollment_id, json((SELECT json_array(id, name) FROM courses WHERE id = new.course_id)), json((SELECT json_array(id, name) FROM modules WHERE id = new.module_id)), new.number, new.result, new.score, new.out_of, new.percent, new.completed_at)
  WHERE new.status = 'Completed';
END;
--> statement-breakpoint
CREATE TRIGGER quiz_attempts_status_event AFTER UPDATE OF status ON quiz_attempts
WHEN old.status <> new.status AND new.status IN ('Completed') BEGIN
  INSERT INTO events (type, occurred_at, data)
  SELECT 'quiz.submitted', max(
    CAST(unixepoch('subsec') * 1000 AS INTEGER),
    coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)),
    json_array(json((SELECT json_array(id, trim(first_name || ' ' || last_name), email) FROM users WHERE id = new.user_id)), new.id, new.enrollment_id, json((SELECT json_array(id, name) FROM courses WHERE id = new.course_id)), json((SELECT json_array(id, name) FROM modules WHERE id = new.module_id)), new.number, new.result, new.score, new.out_of, new.percent, new.completed_at)
  WHERE new.status = 'Completed';
END;
--> statement-breakpoint
CREATE TRIGGER submissions_created_event AFTER INSERT ON submissions BEGIN
  INSERT INTO events (type, occurred_at, data)
  SELECT 'assignment.submitted', max(
    CAST(unixepoch('subsec') * 1000 AS INTEGER),
    coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)),
    json_array(json((SELECT json_array(id, trim(first_name || ' ' || last_name), email) FROM users WHERE id = new.user_id)), new.id, new.enrollment_id, json((SELECT json_array(id, name) FROM courses WHERE id = new.course_id)), json((SELECT json_array(id, name) FROM modules WHERE id = new.module_id)), new.number, new.submitted_at)
  WHERE true;
  INSERT INTO events (type, occurred_at, data)
  SELECT 'assignment.evaluated', max(
    CAST(unixepoch('subsec') * 1000 AS INTEGER),
    coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)),
    json_array(json((SELECT json_array(id, trim(first_name || ' ' || last_name), email) FROM users WHERE id = new.user_id)), new.id, new.enrollment_id, json((SELECT json_array(id, name) FROM courses WHERE id = new.course_id)), json((SELECT json_array(id, name) FROM modules WHERE id = new.module_id)), new.number, new.submitted_at, new.points_awarded, new.evaluated_at)
  WHERE new.status = 'Accepted';
  INSERT INTO events (type, occurred_at, data)
  SELECT 'assignment.rejected', max(
    CAST(unixepoch('subsec') * 1000 AS INTEGER),
    coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)),
    json_array(json((SELECT json_array(id, trim(first_name || ' ' || last_name), email) FROM users WHERE id = new.user_id)), new.id, new.enrollment_id, json((SELECT json_array(id, name) FROM courses WHERE id = new.course_id)), json((SELECT json_array(id, name) FROM modules WHERE id = new.module_id)), new.number, new.submitted_at, new.points_awarded, new.evaluated_at)
  WHERE new.status = 'Returned';
END;
--> statement-breakpoint
CREATE TRIGGER submissions_status_event AFTER UPDATE OF status ON submissions
WHEN old.status <> new.status AND new.status IN ('Accepted', 'Returned') BEGIN
  INSERT INTO events (type, occurred_at, data)
  SELECT 'assignment.evaluated', max(
    CAST(unixepoch('subsec') * 1000 AS INTEGER),
    coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)),
    json_array(json((SELECT json_array(id, trim(first_name || ' ' || last_name), email) FROM users WHERE id = new.user_id)), new.id, new.enrollment_id, json((SELECT json_array(id, name) FROM courses WHERE id = new.course_id)), json((SELECT json_array(id, name) FROM modules WHERE id = new.module_id)), new.number, new.submitted_at, new.points_awarded, new.evaluated_at)
  WHERE new.status = 'Accepted';
  INSERT INTO events (type, occurred_at, data)
  SELECT 'assignment.rejected', max(
    CAST(unixepoch('subsec') * 1000 AS INTEGER),
    coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)),
    json_array(json((SELECT json_array(id, trim(first_name || ' ' || last_name), email) FROM users WHERE id = new.user_id)), new.id, new.enrollment_id, json((SELECT json_array(id, name) FROM courses WHERE id = new.course_id)), json((SELECT json_array(id, name) FROM modules WHERE id = new.module_id)), new.number, new.submitted_at, new.points_awarded, new.evaluated_at)
  WHERE new.status = 'Returned';
END;
--> statement-breakpoint
CREATE TRIGGER orders_created_event AFTER INSERT ON orders BEGIN
  INSERT INTO events (type, occurred_at, data)
  SELECT 'order.created', max(
    CAST(unixepoch('subsec') * 1000 AS INTEGER),
    coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)),
    json_array(json((SELECT json_array(id, trim(first_name || ' ' || last_name), email) FROM users WHERE id = new.user_id)), new.id, new.status, new.total, new.currency, json((SELECT json_group_array(json_array(value ->> '$.type', value ->> '$.id', value ->> '$.name', value ->> '$.quantity')) FROM json_each(new.items))))
  WHERE true;
  INSERT INTO events (type, occurred_at, data)
  SELECT 'order.pending', max(
    CAST(unixepoch('subsec') * 1000 AS INTEGER),
    coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)),
    json_array(json((SELECT json_array(id, trim(first_name || ' ' || last_name), email) FROM users WHERE id = new.user_id)), new.id, new.status, new.total, new.currency, json((SELECT json_group_array(json_array(value ->> '$.type', value ->> '$.id', value ->> '$.name', value ->> '$.quantity')) FROM json_each(new.items))))
  WHERE new.status = 'pending';
  INSERT INTO events (type, occurred_at, data)
  SELECT 'order.failed', max(
    CAST(unixepoch('subsec') * 1000 AS INTEGER),
    coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)),
    json_array(json((SELECT json_array(id, trim(first_name || ' ' || last_name), email) FROM users WHERE id = new.user_id)), new.id, new.status, new.total, new.currency, json((SELECT json_group_array(json_array(value ->> '$.type', value ->> '$.id', value ->> '$.name', value ->> '$.quantity')) FROM json_each(new.items))))
  WHERE new.status = 'failed';
  INSERT INTO events (type, occurred_at, data)
  SELECT 'order.refused', max(
    CAST(unixepoch('subsec') * 1000 AS INTEGER),
    coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)),
    json_array(json((SELECT json_array(id, trim(first_name || ' ' || last_name), email) FROM users WHERE id = new.user_id)), new.id, new.status, new.total, new.currency, json((SELECT json_group_array(json_array(value ->> '$.type', value ->> '$.id', value ->> '$.name', value ->> '$.quantity')) FROM json_each(new.items))))
  WHERE new.status = 'refunded';
END;
--> statement-breakpoint
CREATE TRIGGER orders_status_event AFTER UPDATE OF status ON orders
WHEN old.status <> new.status AND new.status IN ('pending', 'failed', 'refunded') BEGIN
  INSERT INTO events (type, occurred_at, data)
  SELECT 'order.pending', max(
    CAST(unixepoch('subsec') * 1000 AS INTEGER),
    coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)),
    json_array(json((SELECT json_array(id, trim(first_name || ' ' || last_name), email) FROM users WHERE id = new.user_id)), new.id, new.status, new.total, new.currency, json((SELECT json_group_array(json_array(value ->> '$.type', value ->> '$.id', value ->> '$.name', value ->> '$.quantity')) FROM json_each(new.items))))
  WHERE new.status = 'pending';
  INSERT INTO events (type, occurred_at, data)
  SELECT 'order.failed', max(
    CAST(unixepoch('subsec') * 1000 AS INTEGER),
    coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)),
    json_array(json((SELECT json_array(id, trim(first_name || ' ' || last_name), email) FROM users WHERE id = new.user_id)), new.id, new.status, new.total, new.currency, json((SELECT json_group_array(json_array(value ->> '$.type', value ->> '$.id', value ->> '$.name', value ->> '$.quantity')) FROM json_each(new.items))))
  WHERE new.status = 'failed';
  INSERT INTO events (type, occurred_at, data)
  SELECT 'order.refused', max(
    CAST(unixepoch('subsec') * 1000 AS INTEGER),
    coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)),
    json_array(json((SELECT json_array(id, trim(first_name || ' ' || last_name), email) FROM users WHERE id = new.user_id)), new.id, new.status, new.total, new.currency, json((SELECT json_group_array(json_array(value ->> '$.type', value ->> '$.id', value ->> '$.name', value ->> '$.quantity')) FROM json_each(new.items))))
  WHERE new.status = 'refunded';
END;
--> statement-breakpoint
CREATE TRIGGER announcements_created_event AFTER INSERT ON announcements BEGIN
  INSERT INTO events (type, occurred_at, data)
  SELECT 'announcement.created', max(
    CAST(unixepoch('subsec') * 1000 AS INTEGER),
    coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)),
    json_array(json((SELECT json_array(id, trim(first_name || ' ' || last_name), email) FROM users WHERE id = new.author_id)), json_array(new.id, new.heading), new.sending_rules, new.expires_at)
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER certificates_created_event AFTER INSERT ON certificates BEGIN
  INSERT INTO events (type, occurred_at, data)
  SELECT 'certificate.issued', max(
    CAST(unixepoch('subsec') * 1000 AS INTEGER),
    coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)),
    json_array(json((SELECT json_array(id, trim(first_name || ' ' || last_name), email) FROM users WHERE id = new.user_id)), json_array(new.id, new.code), json_array(new.course_id, new.course_name), new.enrollment_id, new.class_enrollment_id, new.issued_at, new.expires_at)
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER class_enrollments_created_event AFTER INSERT ON class_enrollments BEGIN
  INSERT INTO events (type, occurred_at, data)
  SELECT 'class.enrolled', max(
    CAST(unixepoch('subsec') * 1000 AS INTEGER),
    coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)),
    json_array(json((SELECT json_array(id, trim(first_name || ' ' || last_name), email) FROM users WHERE id = new.user_id)), new.id, json((SELECT json_array(id, name) FROM courses WHERE id = (SELECT course_id FROM classes WHERE id = new.class_id))), json((SELECT json_array(id, start_at, end_at) FROM classes WHERE id = new.class_id)), new.registered_at)
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER class_enrollments_reenrolled_event AFTER UPDATE OF status ON class_enrollments
WHEN old.status = 'Cancelled' AND new.status <> 'Cancelled' BEGIN
  INSERT INTO events (type, occurred_at, data)
  SELECT 'class.enrolled', max(
    CAST(unixepoch('subsec') * 1000 AS INTEGER),
    coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)),
    json_array(json((SELECT json_array(id, trim(first_name || ' ' || last_name), email) FROM users WHERE id = new.user_id)), new.id, json((SELECT json_array(id, name) FROM courses WHERE id = (SELECT course_id FROM classes WHERE id = new.class_id))), json((SELECT json_array(id, start_at, end_at) FROM classes WHERE id = new.class_id)), new.registered_at)
  WHERE true;
END;
--> statement-breakpoint
CREATE TRIGGER export_jobs_created_event AFTER INSERT ON export_jobs BEGIN
  INSERT INTO events (type, occurred_at, data)
  SELECT 'export.completed', max(
    CAST(unixepoch('subsec') * 1000 AS INTEGER),
    coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)),
    json_array(json((SELECT json_array(id, trim(first_name || ' ' || last_name), email) FROM users WHERE id = new.caller_id)), new.id, new.kind, new.filename, new.expires_at)
  WHERE new.status = 'completed';
END;
--> statement-breakpoint
CREATE TRIGGER export_jobs_status_event AFTER UPDATE OF status ON export_jobs
WHEN old.status <> new.status AND new.status IN ('completed') BEGIN
  INSERT INTO events (type, occurred_at, data)
  SELECT 'export.completed', max(
    CAST(unixepoch('subsec') * 1000 AS INTEGER),
    coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)),
    json_array(json((SELECT json_array(id, trim(first_name || ' ' || last_name), email) FROM users WHERE id = new.caller_id)), new.id, new.kind, new.filename, new.expires_at)
  WHERE new.status = 'completed';
END;
--> statement-breakpoint
CREATE TRIGGER external_ids_user_deleted AFTER DELETE ON users BEGIN
  DELETE FROM external_ids WHERE object = 'user' AND object_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER external_ids_course_deleted AFTER DELETE ON courses BEGIN
  DELETE FROM external_ids WHERE object = 'course' AND object_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER external_ids_group_deleted AFTER DELETE ON groups BEGIN
  DELETE FROM external_ids WHERE object = 'group' AND object_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER external_ids_class_deleted AFTER DELETE ON classes BEGIN
  DELETE FROM external_ids WHERE object = 'class' AND object_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER users_updated_at AFTER UPDATE OF first_name, last_name, email, user_type, disabled, display_name, deprovisioned, avatar, internal_note, source_id, membership_id, membership_expires_at, version, created_at ON users
WHEN new.updated_at = old.updated_at
AND (
  old.first_name IS NOT new.first_name
  OR old.last_name IS NOT new.last_name
  OR old.email IS NOT new.email
  OR old.user_type IS NOT new.user_type
  OR old.disabled IS NOT new.disabled
  OR old.display_name IS NOT new.display_name
  OR old.deprovisioned IS NOT new.deprovisioned
  OR old.avatar IS NOT new.avatar
  OR old.internal_note IS NOT new.internal_note
  OR old.source_id IS NOT new.source_id
  OR old.membership_id IS NOT new.membership_id
  OR old.membership_expires_at IS NOT new.membership_expires_at
  OR old.version IS NOT new.version
  OR old.created_at IS NOT new.created_at
) BEGIN
  UPDATE users SET updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER enrollments_updated_at AFTER UPDATE OF user_id, course_id, status, percent, done, group_id, enrolled_by, registered_at, started_at, completed_at, expires_at ON enrollments
WHEN new.updated_at = old.updated_at
AND (
  old.user_id IS NOT new.user_id
  OR old.course_id IS NOT new.course_id
  OR old.status IS NOT new.status
  OR old.percent IS NOT new.percent
  OR old.done IS NOT new.done
  OR old.group_id IS NOT new.group_id
  OR old.enrolled_by IS NOT new.enrolled_by
  OR old.registered_at IS NOT new.registered_at
  OR old.started_at IS NOT new.started_at
  OR old.completed_at IS NOT new.completed_at
  OR old.expires_at IS NOT new.expires_at
) BEGIN
  UPDATE enrollments SET updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER courses_updated_at AFTER UPDATE OF name, slug, status, content, instructions, featured_image_url, author_id, certificate_template_id, estimated_minutes, expires_after_days, total_seats, self_enroll, enrollment_key, enable_course_rating, course_credit, rating_sum, rating_count, version, created_at ON courses
WHEN new.updated_at = old.updated_at
AND (
  old.name IS NOT new.name
  OR old.slug IS NOT new.slug
  OR old.status IS NOT new.status
  OR old.content IS NOT new.content
  OR old.instructions IS NOT new.instructions
  OR old.featured_image_url IS NOT new.featured_image_url
  OR old.author_id IS NOT new.author_id
  OR old.certificate_template_id IS NOT new.certificate_template_id
  OR old.estimated_minutes IS NOT new.estimated_minutes
  OR old.expires_after_days IS NOT new.expires_after_days
  OR old.total_seats IS NOT new.total_seats
  OR old.self_enroll IS NOT new.self_enroll
  OR old.enrollment_key IS NOT new.enrollment_key
  OR old.enable_course_rating IS NOT new.enable_course_rating
  OR old.course_credit IS NOT new.course_credit
  OR old.rating_sum IS NOT new.rating_sum
  OR old.rating_count IS NOT new.rating_count
  OR old.version IS NOT new.version
  OR old.created_at IS NOT new.created_at
) BEGIN
  UPDATE courses SET updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER classes_updated_at AFTER UPDATE OF course_id, type, recurrence, time_zone, disabled, allow_download, instructor_id, location_id, webinar_provider, webinar_meeting_id, webinar_host_pwd, start_at, end_at, session_count, size, created_by, version, created_at ON classes
WHEN new.updated_at = old.updated_at
AND (
  old.course_id IS NOT new.course_id
  OR old.type IS NOT new.type
  OR old.recurrence IS NOT new.recurrence
  OR old.time_zone IS NOT new.time_zone
  OR old.disabled IS NOT new.disabled
  OR old.allow_download IS NOT new.allow_download
  OR old.instructor_id IS NOT new.instructor_id
  OR old.location_id IS NOT new.location_id
  OR old.webinar_provider IS NOT new.webinar_provider
  OR old.webinar_meeting_id IS NOT new.webinar_meeting_id
  OR old.webinar_host_pwd IS NOT new.webinar_host_pwd
  OR old.start_at IS NOT new.start_at
  OR old.end_at IS NOT new.end_at
  OR old.session_count IS NOT new.session_count
  OR old.size IS NOT new.size
  OR old.created_by IS NOT new.created_by
  OR old.version IS NOT new.version
  OR old.created_at IS NOT new.created_at
) BEGIN
  UPDATE classes SET updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER certificates_updated_at AFTER UPDATE OF code, user_id, enrollment_id, class_enrollment_id, course_id, template_id, course_name, instructor_name, course_credit, issued_at, expires_at, revoked_at, version ON certificates
WHEN new.updated_at = old.updated_at
AND (
  old.code IS NOT new.code
  OR old.user_id IS NOT new.user_id
  OR old.enrollment_id IS NOT new.enrollment_id
  OR old.class_enrollment_id IS NOT new.class_enrollment_id
  OR old.course_id IS NOT new.course_id
  OR old.template_id IS NOT new.template_id
  OR old.course_name IS NOT new.course_name
  OR old.instructor_name IS NOT new.instructor_name
  OR old.course_credit IS NOT new.course_credit
  OR old.issued_at IS NOT new.issued_at
  OR old.expires_at IS NOT new.expires_at
  OR old.revoked_at IS NOT new.revoked_at
  OR old.version IS NOT new.version
) BEGIN
  UPDATE certificates SET updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER orders_updated_at AFTER UPDATE OF user_id, items, total, currency, status, version, created_at ON orders
WHEN new.updated_at = old.updated_at
AND (
  old.user_id IS NOT new.user_id
  OR old.items IS NOT new.items
  OR old.total IS NOT new.total
  OR old.currency IS NOT new.currency
  OR old.status IS NOT new.status
  OR old.version IS NOT new.version
  OR old.created_at IS NOT new.created_at
) BEGIN
  UPDATE orders SET updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER groups_updated_at AFTER UPDATE OF name, version, created_at ON groups
WHEN new.updated_at = old.updated_at
AND (
  old.name IS NOT new.name
  OR old.version IS NOT new.version
  OR old.created_at IS NOT new.created_at
) BEGIN
  UPDATE groups SET updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER portals_updated_at AFTER UPDATE OF name, slug, referral_code, user_type, total_seat, subscription_id, parent_portal_id, portal_type, status, expires_at, expiry_message, logo_url, primary_color, secondary_color, sender_name, reply_to, version, created_at ON portals
WHEN new.updated_at = old.updated_at
AND (
  old.name IS NOT new.name
  OR old.slug IS NOT new.slug
  OR old.referral_code IS NOT new.referral_code
  OR old.user_type IS NOT new.user_type
  OR old.total_seat IS NOT new.total_seat
  OR old.subscription_id IS NOT new.subscription_id
  OR old.parent_portal_id IS NOT new.parent_portal_id
  OR old.portal_type IS NOT new.portal_type
  OR old.status IS NOT new.status
  OR old.expires_at IS NOT new.expires_at
  OR old.expiry_message IS NOT new.expiry_message
  OR old.logo_url IS NOT new.logo_url
  OR old.primary_color IS NOT new.primary_color
  OR old.secondary_color IS NOT new.secondary_color
  OR old.sender_name IS NOT new.sender_name
  OR old.reply_to IS NOT new.reply_to
  OR old.version IS NOT new.version
  OR old.created_at IS NOT new.created_at
) BEGIN
  UPDATE portals SET updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER course_days_counted AFTER INSERT ON activities
WHEN new.verb IN ('ENROLLED', 'STARTED', 'COMPLETED') AND new.course_id IS NOT NULL BEGIN
  INSERT INTO course_days (course_id, day, enrolled, started, completed)
  SELECT new.course_id, date(new.created_at / 1000, 'unixepoch'),
    new.verb = 'ENROLLED', new.verb = 'STARTED', new.verb = 'COMPLETED'
  WHERE true
  ON CONFLICT (course_id, day) DO UPDATE SET
    enrolled = enrolled + excluded.enrolled,
    started = started + excluded.started,
    completed = completed + excluded.completed;
END;
--> statement-breakpoint
CREATE TRIGGER module_statuses_counted AFTER INSERT ON module_statuses
WHEN new.status <> 'Not Started' BEGIN
  INSERT INTO module_counts (course_id, module_id, in_progress, submitted, completed)
  SELECT course_id, new.module_id, (new.status = 'In Progress'), (new.status = 'Submitted'), (new.status = 'Completed')
  FROM enrollments
  WHERE id = new.enrollment_id
  ON CONFLICT (course_id, module_id) DO UPDATE SET
    in_progress = in_progress + excluded.in_progress,
    submitted = submitted + excluded.submitted,
    completed = completed + excluded.completed;
END;
--> statement-breakpoint
CREATE TRIGGER module_statuses_recounted AFTER UPDATE OF status ON module_statuses
WHEN old.status <> new.status BEGIN
  INSERT INTO module_counts (course_id, module_id, in_progress, submitted, completed)
  SELECT course_id, new.module_id, (new.status = 'In Progress') - (old.status = 'In Progress'), (new.status = 'Submitted') - (old.status = 'Submitted'), (new.status = 'Completed') - (old.status = 'Completed')
  FROM enrollments
  WHERE id = new.enrollment_id
  ON CONFLICT (course_id, module_id) DO UPDATE SET
    in_progress = in_progress + excluded.in_progress,
    submitted = submitted + excluded.submitted,
    completed = completed + excluded.completed;
END;
--> statement-breakpoint
CREATE TRIGGER enrollments_modules_uncounted BEFORE DELETE ON enrollments BEGIN
  UPDATE module_counts SET
    in_progress = in_progress - (own.status = 'In Progress'),
    submitted = submitted - (own.status = 'Submitted'),
    completed = completed - (own.status = 'Completed')
  FROM module_statuses AS own
  WHERE own.enrollment_id = old.id AND own.status <> 'Not Started'
    AND module_counts.course_id = old.course_id AND module_counts.module_id = own.module_id;
END;
--> statement-breakpoint
CREATE TRIGGER module_statuses_uncounted AFTER DELETE ON module_statuses
WHEN old.status <> 'Not Started' BEGIN
  UPDATE module_counts SET
    in_progress = in_progress - (old.status = 'In Progress'),
    submitted = submitted - (old.status = 'Submitted'),
    completed = completed - (old.status = 'Completed')
  WHERE module_id = old.module_id AND course_id = (SELECT course_id FROM enrollments WHERE id = old.enrollment_id);
END;
--> statement-breakpoint
CREATE TRIGGER quiz_scores_counted AFTER INSERT ON quiz_attempts
WHEN new.status = 'Completed' BEGIN
  INSERT INTO quiz_scores (course_id, module_id, percent, attempts, passed)
  SELECT new.course_id, new.module_id, new.percent, 1, (new.result = 'passed')
  WHERE new.status = 'Completed'
  ON CONFLICT (course_id, module_id, percent) DO UPDATE SET
    attempts = attempts + excluded.attempts,
    passed = passed + excluded.passed;
END;
--> statement-breakpoint
CREATE TRIGGER quiz_scores_updated AFTER UPDATE OF status, percent, result ON quiz_attempts
WHEN old.status <> new.status OR old.percent <> new.percent OR old.result <> new.result BEGIN
  INSERT INTO quiz_scores (course_id, module_id, percent, attempts, passed)
  SELECT old.course_id, old.module_id, old.percent, -1, -(old.result = 'passed')
  WHERE old.status = 'Completed'
  ON CONFLICT (course_id, module_id, percent) DO UPDATE SET
    attempts = attempts + excluded.attempts,
    passed = passed + excluded.passed;
  INSERT INTO quiz_scores (course_id, module_id, percent, attempts, passed)
  SELECT new.course_id, new.module_id, new.percent, 1, (new.result = 'passed')
  WHERE new.status = 'Completed'
  ON CONFLICT (course_id, module_id, percent) DO UPDATE SET
    attempts = attempts + excluded.attempts,
    passed = passed + excluded.passed;
END;
--> statement-breakpoint
CREATE TRIGGER quiz_scores_uncounted AFTER DELETE ON quiz_attempts
WHEN old.status = 'Completed' BEGIN
  INSERT INTO quiz_scores (course_id, module_id, percent, attempts, passed)
  SELECT old.course_id, old.module_id, old.percent, -1, -(old.result = 'passed')
  WHERE old.status = 'Completed'
  ON CONFLICT (course_id, module_id, percent) DO UPDATE SET
    attempts = attempts + excluded.attempts,
    passed = passed + excluded.passed;
END;
