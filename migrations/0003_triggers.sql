CREATE TRIGGER custom_field_values_unqueued AFTER DELETE ON custom_field_values BEGIN
  INSERT INTO assignment_queue (user_id)
  SELECT old.user_id WHERE EXISTS (SELECT 1 FROM assignment_rules WHERE active)
    AND EXISTS (SELECT 1 FROM users WHERE id = old.user_id)
  ON CONFLICT (user_id) DO UPDATE SET changes = changes + 1;
END;
--> statement-breakpoint
CREATE TRIGGER custom_field_values_requeued AFTER UPDATE OF value ON custom_field_values
WHEN old.value <> new.value BEGIN
  INSERT INTO assignment_queue (user_id)
  SELECT new.user_id WHERE EXISTS (SELECT 1 FROM assignment_rules WHERE active)
    AND EXISTS (SELECT 1 FROM users WHERE id = new.user_id)
  ON CONFLICT (user_id) DO UPDATE SET changes = changes + 1;
END;
--> statement-breakpoint
CREATE TRIGGER learning_path_courses_added_to_rules AFTER INSERT ON learning_path_courses BEGIN
  UPDATE assignment_rules SET next_run_at = 0
  WHERE active AND next_run_at > 0 AND id IN (
    SELECT rule_id FROM assignment_rule_paths WHERE learning_path_id = new.learning_path_id);
END;
--> statement-breakpoint
CREATE TRIGGER learning_path_courses_removed_from_rules AFTER DELETE ON learning_path_courses BEGIN
  UPDATE assignment_rules SET next_run_at = 0
  WHERE active AND next_run_at > 0 AND id IN (
    SELECT rule_id FROM assignment_rule_paths WHERE learning_path_id = old.learning_path_id);
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE question_pools_search USING fts5(text, tokenize = 'trigram', content = '', contentless_delete = 1);
--> statement-breakpoint
CREATE VIRTUAL TABLE question_pools_terms USING fts5vocab('question_pools_search', 'row');
--> statement-breakpoint
CREATE TRIGGER question_pools_search_changed AFTER UPDATE OF search_text ON question_pools
WHEN old.search_text <> new.search_text BEGIN
  UPDATE question_pools_search SET text = new.search_text WHERE rowid = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER question_pools_inserted AFTER INSERT ON question_pools BEGIN
  INSERT INTO question_pools_search (rowid, text) VALUES (new.id, new.search_text);
  INSERT INTO counters (key, value)
  VALUES ('question_pools', 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER question_pools_deleted AFTER DELETE ON question_pools BEGIN
  DELETE FROM question_pools_search WHERE rowid = old.id;
  UPDATE counters SET value = value - 1 WHERE key = 'question_pools';
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE bank_questions_search USING fts5(text, tokenize = 'trigram', content = '', contentless_delete = 1);
--> statement-breakpoint
CREATE VIRTUAL TABLE bank_questions_terms USING fts5vocab('bank_questions_search', 'row');
--> statement-breakpoint
CREATE TRIGGER bank_questions_search_changed AFTER UPDATE OF search_text ON bank_questions
WHEN old.search_text <> new.search_text BEGIN
  UPDATE bank_questions_search SET text = new.search_text WHERE rowid = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER bank_questions_inserted AFTER INSERT ON bank_questions BEGIN
  INSERT INTO bank_questions_search (rowid, text) VALUES (new.id, new.search_text);
  UPDATE question_pools SET question_count = question_count + 1 WHERE id = new.pool_id;
  INSERT INTO counters (key, value)
  VALUES ('bank_questions', 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER bank_questions_deleted AFTER DELETE ON bank_questions BEGIN
  DELETE FROM bank_questions_search WHERE rowid = old.id;
  UPDATE question_pools SET question_count = question_count - 1 WHERE id = old.pool_id;
  UPDATE counters SET value = value - 1 WHERE key = 'bank_questions';
END;
--> statement-breakpoint
CREATE TRIGGER quiz_attempts_inserted AFTER INSERT ON quiz_attempts BEGIN
  INSERT INTO quiz_counts (audience, course_id, module_id, started, in_progress, completed)
  SELECT audience, course_id, module_id,
    (new.number = 1),
    (new.status = 'In Progress'),
    (new.status = 'Completed')
  FROM (
    SELECT 'all' AS audience, new.course_id AS course_id, new.module_id AS module_id
    UNION ALL SELECT 'all', 0, 0
    UNION ALL SELECT audience, new.course_id, new.module_id FROM audiences WHERE user_id = new.user_id
  )
  WHERE true
  ON CONFLICT (audience, course_id, module_id) DO UPDATE SET
    started = started + excluded.started,
    in_progress = in_progress + excluded.in_progress,
    completed = completed + excluded.completed;
END;
--> statement-breakpoint
CREATE TRIGGER quiz_attempts_updated AFTER UPDATE OF status ON quiz_attempts
WHEN old.status <> new.status BEGIN
  UPDATE quiz_counts SET
    in_progress = in_progress + (new.status = 'In Progress') - (old.status = 'In Progress'),
    completed = completed + (new.status = 'Completed') - (old.status = 'Completed')
  WHERE (audience, course_id, module_id) IN (
    SELECT 'all' AS audience, new.course_id AS course_id, new.module_id AS module_id
    UNION ALL SELECT 'all', 0, 0
    UNION ALL SELECT audience, new.course_id, new.module_id FROM audiences WHERE user_id = new.user_id
  );
END;
--> statement-breakpoint
CREATE TRIGGER quiz_attempts_deleted AFTER DELETE ON quiz_attempts BEGIN
  UPDATE quiz_counts SET
    started = started - (old.number = 1),
    in_progress = in_progress - (old.status = 'In Progress'),
    completed = completed - (old.status = 'Completed')
  WHERE (audience, course_id, module_id) IN (
    SELECT 'all' AS audience, old.course_id AS course_id, old.module_id AS module_id
    UNION ALL SELECT 'all', 0, 0
    UNION ALL SELECT audience, old.course_id, old.module_id FROM audiences WHERE user_id = old.user_id
  );
END;
--> statement-breakpoint
CREATE TRIGGER group_members_quizzes_counted AFTER INSERT ON group_members BEGIN
  INSERT INTO quiz_counts (audience, course_id, module_id, started, in_progress, completed)
  SELECT 'group:' || new.group_id, course_id, module_id,
    (number = 1),
    (status = 'In Progress'),
    (status = 'Completed')
  FROM quiz_attempts
  WHERE user_id = new.user_id
  ON CONFLICT (audience, course_id, module_id) DO UPDATE SET
    started = started + excluded.started,
    in_progress = in_progress + excluded.in_progress,
    completed = completed + excluded.completed;
END;
--> statement-breakpoint
CREATE TRIGGER group_members_quizzes_uncounted AFTER DELETE ON group_members BEGIN
  INSERT INTO quiz_counts (audience, course_id, module_id, started, in_progress, completed)
  SELECT 'group:' || old.group_id, course_id, module_id,
    -(number = 1),
    -(status = 'In Progress'),
    -(status = 'Completed')
  FROM quiz_attempts
  WHERE user_id = old.user_id
  ON CONFLICT (audience, course_id, module_id) DO UPDATE SET
    started = started + excluded.started,
    in_progress = in_progress + excluded.in_progress,
    completed = completed + excluded.completed;
END;
--> statement-breakpoint
CREATE TRIGGER portal_members_quizzes_counted AFTER INSERT ON portal_members BEGIN
  INSERT INTO quiz_counts (audience, course_id, module_id, started, in_progress, completed)
  SELECT 'portal:' || new.portal_id, course_id, module_id,
    (number = 1),
    (status = 'In Progress'),
    (status = 'Completed')
  FROM quiz_attempts
  WHERE user_id = new.user_id
  ON CONFLICT (audience, course_id, module_id) DO UPDATE SET
    started = started + excluded.started,
    in_progress = in_progress + excluded.in_progress,
    completed = completed + excluded.completed;
END;
--> statement-breakpoint
CREATE TRIGGER portal_members_quizzes_uncounted AFTER DELETE ON portal_members BEGIN
  INSERT INTO quiz_counts (audience, course_id, module_id, started, in_progress, completed)
  SELECT 'portal:' || old.portal_id, course_id, module_id,
    -(number = 1),
    -(status = 'In Progress'),
    -(status = 'Completed')
  FROM quiz_attempts
  WHERE user_id = old.user_id
  ON CONFLICT (audience, course_id, module_id) DO UPDATE SET
    started = started + excluded.started,
    in_progress = in_progress + excluded.in_progress,
    completed = completed + excluded.completed;
END;
--> statement-breakpoint
CREATE TRIGGER supervisor_scope_quizzes_counted AFTER INSERT ON supervisor_scope BEGIN
  INSERT INTO quiz_counts (audience, course_id, module_id, started, in_progress, completed)
  SELECT 'supervisor:' || new.supervisor_id, course_id, module_id,
    (number = 1),
    (status = 'In Progress'),
    (status = 'Completed')
  FROM quiz_attempts
  WHERE user_id = new.user_id
  ON CONFLICT (audience, course_id, module_id) DO UPDATE SET
    started = started + excluded.started,
    in_progress = in_progress + excluded.in_progress,
    completed = completed + excluded.completed;
END;
--> statement-breakpoint
CREATE TRIGGER supervisor_scope_quizzes_uncounted AFTER DELETE ON supervisor_scope BEGIN
  INSERT INTO quiz_counts (audience, course_id, module_id, started, in_progress, completed)
  SELECT 'supervisor:' || old.supervisor_id, course_id, module_id,
    -(number = 1),
    -(status = 'In Progress'),
    -(status = 'Completed')
  FROM quiz_attempts
  WHERE user_id = old.user_id
  ON CONFLICT (audience, course_id, module_id) DO UPDATE SET
    started = started + excluded.started,
    in_progress = in_progress + excluded.in_progress,
    completed = completed + excluded.completed;
END;
--> statement-breakpoint
CREATE TRIGGER quizzes_points_changed AFTER UPDATE OF total_points ON modules
WHEN new.type = 'quiz' AND old.total_points <> new.total_points BEGIN
  UPDATE module_statuses SET points_awarded = coalesce((
      SELECT max(iif(out_of > 0, CAST(round(score * new.total_points / out_of) AS INTEGER), new.total_points))
      FROM quiz_attempts
      WHERE quiz_attempts.enrollment_id = module_statuses.enrollment_id
        AND quiz_attempts.module_id = new.id
        AND quiz_attempts.status = 'Completed' AND quiz_attempts.result <> 'pending'
        AND (quiz_attempts.recorded OR quiz_attempts.started_at >= module_statuses.started_at)
    ), points_awarded)
  WHERE module_id = new.id AND points_awarded IS NOT NULL;
END;
--> statement-breakpoint
CREATE TRIGGER submissions_inserted AFTER INSERT ON submissions BEGIN
  INSERT INTO submission_counts (audience, course_id, submitted, accepted, returned, closed)
  SELECT audience, course_id,
    (new.status = 'Submitted'),
    (new.status = 'Accepted'),
    (new.status = 'Returned'),
    (new.status = 'Closed')
  FROM (
    SELECT 'all' AS audience, new.course_id AS course_id
    UNION ALL SELECT 'all', 0
    UNION ALL SELECT audience, new.course_id FROM audiences WHERE user_id = new.user_id
  )
  WHERE true
  ON CONFLICT (audience, course_id) DO UPDATE SET
    submitted = submitted + excluded.submitted,
    accepted = accepted + excluded.accepted,
    returned = returned + excluded.returned,
    closed = closed + excluded.closed;
END;
--> statement-breakpoint
CREATE TRIGGER submissions_updated AFTER UPDATE OF status ON submissions
WHEN old.status <> new.status BEGIN
  UPDATE submission_counts SET
    submitted = submitted + (new.status = 'Submitted') - (old.status = 'Submitted'),
    accepted = accepted + (new.status = 'Accepted') - (old.status = 'Accepted'),
    returned = returned + (new.status = 'Returned') - (old.status = 'Returned'),
    closed = closed + (new.status = 'Closed') - (old.status = 'Closed')
  WHERE (audience, course_id) IN (
    SELECT 'all' AS audience, new.course_id AS course_id
    UNION ALL SELECT 'all', 0
    UNION ALL SELECT audience, new.course_id FROM audiences WHERE user_id = new.user_id
  );
END;
--> statement-breakpoint
CREATE TRIGGER submissions_deleted AFTER DELETE ON submissions BEGIN
  UPDATE submission_counts SET
    submitted = submitted - (old.status = 'Submitted'),
    accepted = accepted - (old.status = 'Accepted'),
    returned = returned - (old.status = 'Returned'),
    closed = closed - (old.status = 'Closed')
  WHERE (audience, course_id) IN (
    SELECT 'all' AS audience, old.course_id AS course_id
    UNION ALL SELECT 'all', 0
    UNION ALL SELECT audience, old.course_id FROM audiences WHERE user_id = old.user_id
  );
END;
--> statement-breakpoint
CREATE TRIGGER group_members_submissions_counted AFTER INSERT ON group_members BEGIN
  INSERT INTO submission_counts (audience, course_id, submitted, accepted, returned, closed)
  SELECT 'group:' || new.group_id, course_id,
    (status = 'Submitted'),
    (status = 'Accepted'),
    (status = 'Returned'),
    (status = 'Closed')
  FROM submissions
  WHERE user_id = new.user_id
  ON CONFLICT (audience, course_id) DO UPDATE SET
    submitted = submitted + excluded.submitted,
    accepted = accepted + excluded.accepted,
    returned = returned + excluded.returned,
    closed = closed + excluded.closed;
END;
--> statement-breakpoint
CREATE TRIGGER group_members_submissions_uncounted AFTER DELETE ON group_members BEGIN
  INSERT INTO submission_counts (audience, course_id, submitted, accepted, returned, closed)
  SELECT 'group:' || old.group_id, course_id,
    -(status = 'Submitted'),
    -(status = 'Accepted'),
    -(status = 'Returned'),
    -(status = 'Closed')
  FROM submissions
  WHERE user_id = old.user_id
  ON CONFLICT (audience, course_id) DO UPDATE SET
    submitted = submitted + excluded.submitted,
    accepted = accepted + excluded.accepted,
    returned = returned + excluded.returned,
    closed = closed + excluded.closed;
END;
--> statement-breakpoint
CREATE TRIGGER portal_members_submissions_counted AFTER INSERT ON portal_members BEGIN
  INSERT INTO submission_counts (audience, course_id, submitted, accepted, returned, closed)
  SELECT 'portal:' || new.portal_id, course_id,
    (status = 'Submitted'),
    (status = 'Accepted'),
    (status = 'Returned'),
    (status = 'Closed')
  FROM submissions
  WHERE user_id = new.user_id
  ON CONFLICT (audience, course_id) DO UPDATE SET
    submitted = submitted + excluded.submitted,
    accepted = accepted + excluded.accepted,
    returned = returned + excluded.returned,
    closed = closed + excluded.closed;
END;
--> statement-breakpoint
CREATE TRIGGER portal_members_submissions_uncounted AFTER DELETE ON portal_members BEGIN
  INSERT INTO submission_counts (audience, course_id, submitted, accepted, returned, closed)
  SELECT 'portal:' || old.portal_id, course_id,
    -(status = 'Submitted'),
    -(status = 'Accepted'),
    -(status = 'Returned'),
    -(status = 'Closed')
  FROM submissions
  WHERE user_id = old.user_id
  ON CONFLICT (audience, course_id) DO UPDATE SET
    submitted = submitted + excluded.submitted,
    accepted = accepted + excluded.accepted,
    returned = returned + excluded.returned,
    closed = closed + excluded.closed;
END;
--> statement-breakpoint
CREATE TRIGGER supervisor_scope_submissions_counted AFTER INSERT ON supervisor_scope BEGIN
  INSERT INTO submission_counts (audience, course_id, submitted, accepted, returned, closed)
  SELECT 'supervisor:' || new.supervisor_id, course_id,
    (status = 'Submitted'),
    (status = 'Accepted'),
    (status = 'Returned'),
    (status = 'Closed')
  FROM submissions
  WHERE user_id = new.user_id
  ON CONFLICT (audience, course_id) DO UPDATE SET
    submitted = submitted + excluded.submitted,
    accepted = accepted + excluded.accepted,
    returned = returned + excluded.returned,
    closed = closed + excluded.closed;
END;
--> statement-breakpoint
CREATE TRIGGER supervisor_scope_submissions_uncounted AFTER DELETE ON supervisor_scope BEGIN
  INSERT INTO submission_counts (audience, course_id, submitted, accepted, returned, closed)
  SELECT 'supervisor:' || old.supervisor_id, course_id,
    -(status = 'Submitted'),
    -(status = 'Accepted'),
    -(status = 'Returned'),
    -(status = 'Closed')
  FROM submissions
  WHERE user_id = old.user_id
  ON CONFLICT (audience, course_id) DO UPDATE SET
    submitted = submitted + excluded.submitted,
    accepted = accepted + excluded.accepted,
    returned = returned + excluded.returned,
    closed = closed + excluded.closed;
END;
--> statement-breakpoint
CREATE TRIGGER submission_files_inserted AFTER INSERT ON submission_files BEGIN
  UPDATE assignment_uploads SET state = 'used' WHERE id = new.upload_id;
END;
--> statement-breakpoint
CREATE TRIGGER submission_files_deleted AFTER DELETE ON submission_files
WHEN NOT EXISTS (SELECT 1 FROM submission_files WHERE upload_id = old.upload_id) BEGIN
  UPDATE assignment_uploads SET state = 'new' WHERE id = old.upload_id;
END;
--> statement-breakpoint
CREATE TRIGGER classes_inserted AFTER INSERT ON classes BEGIN
  INSERT INTO counters (key, value)
  VALUES ('classes', 1), ('classes:' || new.course_id, 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER classes_course_id_changed AFTER UPDATE OF course_id ON classes
WHEN old.course_id <> new.course_id BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'classes:' || old.course_id;
  INSERT INTO counters (key, value)
  VALUES ('classes:' || new.course_id, 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER classes_deleted AFTER DELETE ON classes BEGIN
  UPDATE counters SET value = value - 1 WHERE key IN ('classes', 'classes:' || old.course_id);
END;
--> statement-breakpoint
CREATE TRIGGER class_sessions_inserted AFTER INSERT ON class_sessions BEGIN
  INSERT INTO counters (key, value)
  VALUES ('class_sessions', 1), ('class_sessions:' || new.course_id, 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER class_sessions_course_id_changed AFTER UPDATE OF course_id ON class_sessions
WHEN old.course_id <> new.course_id BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'class_sessions:' || old.course_id;
  INSERT INTO counters (key, value)
  VALUES ('class_sessions:' || new.course_id, 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER class_sessions_deleted AFTER DELETE ON class_sessions BEGIN
  UPDATE counters SET value = value - 1 WHERE key IN ('class_sessions', 'class_sessions:' || old.course_id);
END;
--> statement-breakpoint
CREATE TRIGGER classes_updated AFTER UPDATE OF course_id ON classes
WHEN old.course_id <> new.course_id BEGIN
  UPDATE class_sessions SET course_id = new.course_id WHERE class_id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER class_enrollments_inserted AFTER INSERT ON class_enrollments BEGIN
  INSERT INTO class_counts (audience, class_id, registered, attended, no_show, cancelled)
  SELECT audience, class_id,
    (new.status = 'Registered'),
    (new.status = 'Attended'),
    (new.status = 'No Show'),
    (new.status = 'Cancelled')
  FROM (
    SELECT 'all' AS audience, new.class_id AS class_id
    UNION ALL SELECT 'all', 0
    UNION ALL SELECT audience, new.class_id FROM audiences WHERE user_id = new.user_id
  )
  WHERE true
  ON CONFLICT (audience, class_id) DO UPDATE SET
    registered = registered + excluded.registered,
    attended = attended + excluded.attended,
    no_show = no_show + excluded.no_show,
    cancelled = cancelled + excluded.cancelled;
  UPDATE classes SET size = size + (new.status <> 'Cancelled'), updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER))
  WHERE id = new.class_id;
END;
--> statement-breakpoint
CREATE TRIGGER class_enrollments_updated AFTER UPDATE OF status ON class_enrollments
WHEN old.status <> new.status BEGIN
  UPDATE class_counts SET
    registered = registered + (new.status = 'Registered') - (old.status = 'Registered'),
    attended = attended + (new.status = 'Attended') - (old.status = 'Attended'),
    no_show = no_show + (new.status = 'No Show') - (old.status = 'No Show'),
    cancelled = cancelled + (new.status = 'Cancelled') - (old.status = 'Cancelled')
  WHERE (audience, class_id) IN (
    SELECT 'all' AS audience, new.class_id AS class_id
    UNION ALL SELECT 'all', 0
    UNION ALL SELECT audience, new.class_id FROM audiences WHERE user_id = new.user_id
  );
  UPDATE classes SET size = size + (new.status <> 'Cancelled') - (old.status <> 'Cancelled'), updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER))
      WHERE id = new.class_id AND (new.status <> 'Cancelled') <> (old.status <> 'Cancelled');
END;
--> statement-breakpoint
CREATE TRIGGER class_enrollments_deleted AFTER DELETE ON class_enrollments BEGIN
  UPDATE class_counts SET
    registered = registered - (old.status = 'Registered'),
    attended = attended - (old.status = 'Attended'),
    no_show = no_show - (old.status = 'No Show'),
    cancelled = cancelled - (old.status = 'Cancelled')
  WHERE (audience, class_id) IN (
    SELECT 'all' AS audience, old.class_id AS class_id
    UNION ALL SELECT 'all', 0
    UNION ALL SELECT audience, old.class_id FROM audiences WHERE user_id = old.user_id
  );
  UPDATE classes SET size = size - (old.status <> 'Cancelled'), updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER))
  WHERE id = old.class_id;
END;
--> statement-breakpoint
CREATE TRIGGER group_members_classes_counted AFTER INSERT ON group_members BEGIN
  INSERT INTO class_counts (audience, class_id, registered, attended, no_show, cancelled)
  SELECT 'group:' || new.group_id, class_id,
    (status = 'Registered'),
    (status = 'Attended'),
    (status = 'No Show'),
    (status = 'Cancelled')
  FROM class_enrollments
  WHERE user_id = new.user_id
  ON CONFLICT (audience, class_id) DO UPDATE SET
    registered = registered + excluded.registered,
    attended = attended + excluded.attended,
    no_show = no_show + excluded.no_show,
    cancelled = cancelled + excluded.cancelled;
END;
--> statement-breakpoint
CREATE TRIGGER group_members_classes_uncounted AFTER DELETE ON group_members BEGIN
  INSERT INTO class_counts (audience, class_id, registered, attended, no_show, cancelled)
  SELECT 'group:' || old.group_id, class_id,
    -(status = 'Registered'),
    -(status = 'Attended'),
    -(status = 'No Show'),
    -(status = 'Cancelled')
  FROM class_enrollments
  WHERE user_id = old.user_id
  ON CONFLICT (audience, class_id) DO UPDATE SET
    registered = registered + excluded.registered,
    attended = attended + excluded.attended,
    no_show = no_show + excluded.no_show,
    cancelled = cancelled + excluded.cancelled;
END;
--> statement-breakpoint
CREATE TRIGGER portal_members_classes_counted AFTER INSERT ON portal_members BEGIN
  INSERT INTO class_counts (audience, class_id, registered, attended, no_show, cancelled)
  SELECT 'portal:' || new.portal_id, class_id,
    (status = 'Registered'),
    (status = 'Attended'),
    (status = 'No Show'),
    (status = 'Cancelled')
  FROM class_enrollments
  WHERE user_id = new.user_id
  ON CONFLICT (audience, class_id) DO UPDATE SET
    registered = registered + excluded.registered,
    attended = attended + excluded.attended,
    no_show = no_show + excluded.no_show,
    cancelled = cancelled + excluded.cancelled;
END;
--> statement-breakpoint
CREATE TRIGGER portal_members_classes_uncounted AFTER DELETE ON portal_members BEGIN
  INSERT INTO class_counts (audience, class_id, registered, attended, no_show, cancelled)
  SELECT 'portal:' || old.portal_id, class_id,
    -(status = 'Registered'),
    -(status = 'Attended'),
    -(status = 'No Show'),
    -(status = 'Cancelled')
  FROM class_enrollments
  WHERE user_id = old.user_id
  ON CONFLICT (audience, class_id) DO UPDATE SET
    registered = registered + excluded.registered,
    attended = attended + excluded.attended,
    no_show = no_show + excluded.no_show,
    cancelled = cancelled + excluded.cancelled;
END;
--> statement-breakpoint
CREATE TRIGGER supervisor_scope_classes_counted AFTER INSERT ON supervisor_scope BEGIN
  INSERT INTO class_counts (audience, class_id, registered, attended, no_show, cancelled)
  SELECT 'supervisor:' || new.supervisor_id, class_id,
    (status = 'Registered'),
    (status = 'Attended'),
    (status = 'No Show'),
    (status = 'Cancelled')
  FROM class_enrollments
  WHERE user_id = new.user_id
  ON CONFLICT (audience, class_id) DO UPDATE SET
    registered = registered + excluded.registered,
    attended = attended + excluded.attended,
    no_show = no_show + excluded.no_show,
    cancelled = cancelled + excluded.cancelled;
END;
--> statement-breakpoint
CREATE TRIGGER supervisor_scope_classes_uncounted AFTER DELETE ON supervisor_scope BEGIN
  INSERT INTO class_counts (audience, class_id, registered, attended, no_show, cancelled)
  SELECT 'supervisor:' || old.supervisor_id, class_id,
    -(status = 'Registered'),
    -(status = 'Attended'),
    -(status = 'No Show'),
    -(status = 'Cancelled')
  FROM class_enrollments
  WHERE user_id = old.user_id
  ON CONFLICT (audience, class_id) DO UPDATE SET
    registered = registered + excluded.registered,
    attended = attended + excluded.attended,
    no_show = no_show + excluded.no_show,
    cancelled = cancelled + excluded.cancelled;
END;
--> statement-breakpoint
CREATE TRIGGER class_counts_class_deleted AFTER DELETE ON classes BEGIN
  DELETE FROM class_counts WHERE class_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER class_enrollments_user_first_name_key_changed AFTER UPDATE OF first_name_key ON users
WHEN old.first_name_key <> new.first_name_key BEGIN
  UPDATE class_enrollments SET first_name_key = new.first_name_key
  WHERE user_id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER class_enrollments_user_last_name_key_changed AFTER UPDATE OF last_name_key ON users
WHEN old.last_name_key <> new.last_name_key BEGIN
  UPDATE class_enrollments SET last_name_key = new.last_name_key
  WHERE user_id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER class_enrollments_user_first_name_changed AFTER UPDATE OF first_name ON users
WHEN old.first_name <> new.first_name BEGIN
  UPDATE class_enrollments SET first_name = new.first_name
  WHERE user_id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER class_enrollments_user_last_name_changed AFTER UPDATE OF last_name ON users
WHEN old.last_name <> new.last_name BEGIN
  UPDATE class_enrollments SET last_name = new.last_name
  WHERE user_id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER class_enrollments_user_email_changed AFTER UPDATE OF email ON users
WHEN old.email <> new.email BEGIN
  UPDATE class_enrollments SET email = new.email
  WHERE user_id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER calendar_enrollment_canceled AFTER UPDATE OF status ON class_enrollments
WHEN new.status = 'Cancelled' AND old.status <> new.status AND EXISTS (SELECT 1 FROM calendar_subscriptions WHERE user_id = new.user_id) BEGIN
  INSERT INTO calendar_cancellations
    (user_id, class_id, count, version, course_name, time_zone, start_at, end_at, canceled_at)
  SELECT new.user_id, classes.id, 1, classes.version,
    coalesce((SELECT name FROM courses WHERE courses.id = classes.course_id), ''),
    classes.time_zone, classes.start_at,
    coalesce((SELECT min(end_at) FROM class_sessions WHERE class_id = classes.id), classes.end_at),
    CAST(unixepoch('subsec') * 1000 AS INTEGER)
  FROM classes WHERE classes.id = new.class_id
  ON CONFLICT (user_id, class_id) DO UPDATE SET
    count = count + 1, version = excluded.version, course_name = excluded.course_name,
    time_zone = excluded.time_zone, start_at = excluded.start_at, end_at = excluded.end_at,
    canceled_at = excluded.canceled_at;
END;
--> statement-breakpoint
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
  INSERT INTO audit_logs (performed_by, subject_id, effect_on, details, work, common_kind, stored_action, stored_subject, created_at,
    performer_number, kind_number, sign_ins, progress_updates, evaluations)
  SELECT
    new.performed_by, new.subject_id, new.effect_on, new.details, new.work,
    (CASE WHEN (new.subject = 'user' AND new.action = 'login') THEN 1 WHEN (new.subject = 'module progress' AND new.action = 'updated') THEN 2 WHEN (new.subject = 'submission' AND new.action = 'updated') THEN 3 END), iif(((new.subject = 'user' AND new.action = 'login') OR (new.subject = 'module progress' AND new.action = 'updated') OR (new.subject = 'submission' AND new.action = 'updated')), NULL, new.action), iif(((new.subject = 'user' AND new.action = 'login') OR (new.subject = 'module progress' AND new.action = 'updated') OR (new.subject = 'submission' AND new.action = 'updated')), NULL, new.subject),
    max(new.created_at, coalesce(newest.created_at, 0)),
    1 + coalesce((SELECT performer_number FROM audit_logs WHERE performed_by IS new.performed_by ORDER BY id DESC LIMIT 1), 0),
    iif(
      ((new.subject = 'user' AND new.action = 'login') OR (new.subject = 'module progress' AND new.action = 'updated') OR (new.subject = 'submission' AND new.action = 'updated')),
      NULL,
      1 + coalesce((SELECT kind_number FROM audit_logs WHERE subject = new.subject AND action = new.action AND kind_number IS NOT NULL ORDER BY id DESC LIMIT 1), 0)
    ),
    coalesce(newest.sign_ins, 0) + (new.subject = 'user' AND new.action = 'login'),
    coalesce(newest.progress_updates, 0) + (new.subject = 'module progress' AND new.action = 'updated'),
    coalesce(newest.evaluations, 0) + (new.subject = 'submission' AND new.action = 'updated')
  FROM (SELECT 1) LEFT JOIN (SELECT * FROM audit_logs ORDER BY id DESC LIMIT 1) AS newest;
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
OR old.subject_id IS NOT new.subject_id
OR old.common_kind IS NOT new.common_kind
OR old.stored_action IS NOT new.stored_action
OR old.stored_subject IS NOT new.stored_subject
OR old.created_at IS NOT new.created_at
OR old.performer_number IS NOT new.performer_number
OR old.kind_number IS NOT new.kind_number
OR old.sign_ins IS NOT new.sign_ins
OR old.progress_updates IS NOT new.progress_updates
OR old.evaluations IS NOT new.evaluations
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
  UPDATE enrollments SET
    certificate_count = certificate_count + 1,
    updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER))
  WHERE id = new.enrollment_id AND status = 'Completed';
  UPDATE class_enrollments SET certificate_count = certificate_count + 1
  WHERE id = new.class_enrollment_id;
  INSERT INTO counters (key, value)
  VALUES ('certificates', 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER certificates_deleted AFTER DELETE ON certificates BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'certificates';
END;
--> statement-breakpoint
CREATE TRIGGER certificates_revoked AFTER UPDATE OF revoked_at ON certificates
WHEN old.revoked_at = 0 AND new.revoked_at > 0 BEGIN
  UPDATE enrollments SET
    certificate_count = certificate_count - 1,
    updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER))
  WHERE id = new.enrollment_id AND true;
  UPDATE class_enrollments SET certificate_count = certificate_count - 1
  WHERE id = new.class_enrollment_id;
END;
--> statement-breakpoint
CREATE TRIGGER certificates_uncounted AFTER DELETE ON certificates
WHEN old.revoked_at = 0 BEGIN
  UPDATE enrollments SET
    certificate_count = certificate_count - 1,
    updated_at = max(updated_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER))
  WHERE id = old.enrollment_id AND true;
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
  SELECT 'announcement-' || old.id, 'announcement.withdraw', json_object('mailingIds', json_array(printf('%08x-%04x-7001-8000-%012x', old.created_at >> 16, old.created_at & 65535, old.id))),
    (SELECT count(*) FROM outbox WHERE mailing_id = printf('%08x-%04x-7001-8000-%012x', old.created_at >> 16, old.created_at & 65535, old.id) AND +status = 'queued'), 0, unixepoch('subsec') * 1000
  WHERE EXISTS (SELECT 1 FROM outbox WHERE mailing_id = printf('%08x-%04x-7001-8000-%012x', old.created_at >> 16, old.created_at & 65535, old.id) AND +status = 'queued' LIMIT 1 OFFSET 1000) AND NOT EXISTS (
    SELECT 1 FROM background_jobs
    WHERE due_at IS NOT NULL AND kind = 'announcement.withdraw'
      AND printf('%08x-%04x-7001-8000-%012x', old.created_at >> 16, old.created_at & 65535, old.id) IN (SELECT value FROM json_each(params, '$.mailingIds')));
  DELETE FROM outbox WHERE mailing_id = printf('%08x-%04x-7001-8000-%012x', old.created_at >> 16, old.created_at & 65535, old.id) AND +status = 'queued' AND NOT EXISTS (
          SELECT 1 FROM background_jobs
          WHERE due_at IS NOT NULL AND kind = 'announcement.withdraw'
            AND printf('%08x-%04x-7001-8000-%012x', old.created_at >> 16, old.created_at & 65535, old.id) IN (SELECT value FROM json_each(params, '$.mailingIds')));
  UPDATE counters SET value = value - 1 WHERE key IN ('announcements', 'announcements:' || old.state);
END;
--> statement-breakpoint
CREATE TRIGGER announcement_users_deleted AFTER DELETE ON announcement_users BEGIN
  UPDATE announcements SET user_count = user_count - 1 WHERE id = old.announcement_id;
END;
--> statement-breakpoint
CREATE VIRTUAL TABLE media_search USING fts5(text, tokenize = 'trigram', content = '', contentless_delete = 1);
--> statement-breakpoint
CREATE VIRTUAL TABLE media_terms USING fts5vocab('media_search', 'row');
--> statement-breakpoint
CREATE TRIGGER media_search_changed AFTER UPDATE OF search_text ON media
WHEN old.search_text <> new.search_text BEGIN
  UPDATE media_search SET text = new.search_text WHERE rowid = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER media_inserted AFTER INSERT ON media BEGIN
  INSERT INTO media_search (rowid, text) VALUES (new.id, new.search_text);
  INSERT INTO counters (key, value) VALUES ('media_bytes:all', new.bytes)
        ON CONFLICT (key) DO UPDATE SET value = value + excluded.value;
  INSERT INTO counters (key, value)
  VALUES ('media', 1), ('media:' || new.kind, 1)
  ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER media_deleted AFTER DELETE ON media BEGIN
  DELETE FROM media_search WHERE rowid = old.id;
  UPDATE counters SET value = value - old.bytes WHERE key = 'media_bytes:all';
  UPDATE counters SET value = value - 1 WHERE key IN ('media', 'media:' || old.kind);
END;
--> statement-breakpoint
CREATE TRIGGER media_uses_module_inserted AFTER INSERT ON modules
WHEN instr(coalesce(new.content, '') || ' ' || coalesce(new.video_url, '') || ' ' || coalesce('/api/media/' || new.media_id, ''), '/api/media/') > 0 BEGIN
  INSERT INTO media_uses (source, source_id, media_id) SELECT 'module' AS source, new.id AS source_id, media.id AS media_id
    FROM media WHERE media.id IN (
      WITH RECURSIVE link (rest) AS (
        SELECT coalesce(new.content, '') || ' ' || coalesce(new.video_url, '') || ' ' || coalesce('/api/media/' || new.media_id, '')
        UNION ALL
        SELECT substr(rest, instr(rest, '/api/media/') + 11) FROM link WHERE instr(rest, '/api/media/') > 0
      )
      SELECT DISTINCT CAST(substr(rest, 1, 16) AS INTEGER) AS id FROM link
    );
END;
--> statement-breakpoint
CREATE TRIGGER media_uses_module_updated AFTER UPDATE OF content, video_url, media_id ON modules
WHEN (instr(coalesce(old.content, '') || ' ' || coalesce(old.video_url, '') || ' ' || coalesce('/api/media/' || old.media_id, ''), '/api/media/') > 0 OR instr(coalesce(new.content, '') || ' ' || coalesce(new.video_url, '') || ' ' || coalesce('/api/media/' || new.media_id, ''), '/api/media/') > 0)
          AND coalesce(old.content, '') || ' ' || coalesce(old.video_url, '') || ' ' || coalesce('/api/media/' || old.media_id, '') <> coalesce(new.content, '') || ' ' || coalesce(new.video_url, '') || ' ' || coalesce('/api/media/' || new.media_id, '') BEGIN
  DELETE FROM media_uses WHERE source = 'module' AND source_id = old.id;
  INSERT INTO media_uses (source, source_id, media_id) SELECT 'module' AS source, new.id AS source_id, media.id AS media_id
    FROM media WHERE media.id IN (
      WITH RECURSIVE link (rest) AS (
        SELECT coalesce(new.content, '') || ' ' || coalesce(new.video_url, '') || ' ' || coalesce('/api/media/' || new.media_id, '')
        UNION ALL
        SELECT substr(rest, instr(rest, '/api/media/') + 11) FROM link WHERE instr(rest, '/api/media/') > 0
      )
      SELECT DISTINCT CAST(substr(rest, 1, 16) AS INTEGER) AS id FROM link
    );
END;
--> statement-breakpoint
CREATE TRIGGER media_uses_module_deleted AFTER DELETE ON modules
WHEN instr(coalesce(old.content, '') || ' ' || coalesce(old.video_url, '') || ' ' || coalesce('/api/media/' || old.media_id, ''), '/api/media/') > 0 BEGIN
  DELETE FROM media_uses WHERE source = 'module' AND source_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER media_uses_course_inserted AFTER INSERT ON courses
WHEN instr(coalesce(new.content, '') || ' ' || coalesce(new.instructions, '') || ' ' || coalesce(new.featured_image_url, ''), '/api/media/') > 0 BEGIN
  INSERT INTO media_uses (source, source_id, media_id) SELECT 'course' AS source, new.id AS source_id, media.id AS media_id
    FROM media WHERE media.id IN (
      WITH RECURSIVE link (rest) AS (
        SELECT coalesce(new.content, '') || ' ' || coalesce(new.instructions, '') || ' ' || coalesce(new.featured_image_url, '')
        UNION ALL
        SELECT substr(rest, instr(rest, '/api/media/') + 11) FROM link WHERE instr(rest, '/api/media/') > 0
      )
      SELECT DISTINCT CAST(substr(rest, 1, 16) AS INTEGER) AS id FROM link
    );
END;
--> statement-breakpoint
CREATE TRIGGER media_uses_course_updated AFTER UPDATE OF content, instructions, featured_image_url ON courses
WHEN (instr(coalesce(old.content, '') || ' ' || coalesce(old.instructions, '') || ' ' || coalesce(old.featured_image_url, ''), '/api/media/') > 0 OR instr(coalesce(new.content, '') || ' ' || coalesce(new.instructions, '') || ' ' || coalesce(new.featured_image_url, ''), '/api/media/') > 0)
          AND coalesce(old.content, '') || ' ' || coalesce(old.instructions, '') || ' ' || coalesce(old.featured_image_url, '') <> coalesce(new.content, '') || ' ' || coalesce(new.instructions, '') || ' ' || coalesce(new.featured_image_url, '') BEGIN
  DELETE FROM media_uses WHERE source = 'course' AND source_id = old.id;
  INSERT INTO media_uses (source, source_id, media_id) SELECT 'course' AS source, new.id AS source_id, media.id AS media_id
    FROM media WHERE media.id IN (
      WITH RECURSIVE link (rest) AS (
        SELECT coalesce(new.content, '') || ' ' || coalesce(new.instructions, '') || ' ' || coalesce(new.featured_image_url, '')
        UNION ALL
        SELECT substr(rest, instr(rest, '/api/media/') + 11) FROM link WHERE instr(rest, '/api/media/') > 0
      )
      SELECT DISTINCT CAST(substr(rest, 1, 16) AS INTEGER) AS id FROM link
    );
END;
--> statement-breakpoint
CREATE TRIGGER media_uses_course_deleted AFTER DELETE ON courses
WHEN instr(coalesce(old.content, '') || ' ' || coalesce(old.instructions, '') || ' ' || coalesce(old.featured_image_url, ''), '/api/media/') > 0 BEGIN
  DELETE FROM media_uses WHERE source = 'course' AND source_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER media_uses_learning_path_inserted AFTER INSERT ON learning_paths
WHEN instr(coalesce(new.featured_image_url, ''), '/api/media/') > 0 BEGIN
  INSERT INTO media_uses (source, source_id, media_id) SELECT 'learning_path' AS source, new.id AS source_id, media.id AS media_id
    FROM media WHERE media.id IN (
      WITH RECURSIVE link (rest) AS (
        SELECT coalesce(new.featured_image_url, '')
        UNION ALL
        SELECT substr(rest, instr(rest, '/api/media/') + 11) FROM link WHERE instr(rest, '/api/media/') > 0
      )
      SELECT DISTINCT CAST(substr(rest, 1, 16) AS INTEGER) AS id FROM link
    );
END;
--> statement-breakpoint
CREATE TRIGGER media_uses_learning_path_updated AFTER UPDATE OF featured_image_url ON learning_paths
WHEN (instr(coalesce(old.featured_image_url, ''), '/api/media/') > 0 OR instr(coalesce(new.featured_image_url, ''), '/api/media/') > 0)
          AND coalesce(old.featured_image_url, '') <> coalesce(new.featured_image_url, '') BEGIN
  DELETE FROM media_uses WHERE source = 'learning_path' AND source_id = old.id;
  INSERT INTO media_uses (source, source_id, media_id) SELECT 'learning_path' AS source, new.id AS source_id, media.id AS media_id
    FROM media WHERE media.id IN (
      WITH RECURSIVE link (rest) AS (
        SELECT coalesce(new.featured_image_url, '')
        UNION ALL
        SELECT substr(rest, instr(rest, '/api/media/') + 11) FROM link WHERE instr(rest, '/api/media/') > 0
      )
      SELECT DISTINCT CAST(substr(rest, 1, 16) AS INTEGER) AS id FROM link
    );
END;
--> statement-breakpoint
CREATE TRIGGER media_uses_learning_path_deleted AFTER DELETE ON learning_paths
WHEN instr(coalesce(old.featured_image_url, ''), '/api/media/') > 0 BEGIN
  DELETE FROM media_uses WHERE source = 'learning_path' AND source_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER media_uses_announcement_inserted AFTER INSERT ON announcements
WHEN instr(coalesce(new.content, ''), '/api/media/') > 0 BEGIN
  INSERT INTO media_uses (source, source_id, media_id) SELECT 'announcement' AS source, new.id AS source_id, media.id AS media_id
    FROM media WHERE media.id IN (
      WITH RECURSIVE link (rest) AS (
        SELECT coalesce(new.content, '')
        UNION ALL
        SELECT substr(rest, instr(rest, '/api/media/') + 11) FROM link WHERE instr(rest, '/api/media/') > 0
      )
      SELECT DISTINCT CAST(substr(rest, 1, 16) AS INTEGER) AS id FROM link
    );
END;
--> statement-breakpoint
CREATE TRIGGER media_uses_announcement_updated AFTER UPDATE OF content ON announcements
WHEN (instr(coalesce(old.content, ''), '/api/media/') > 0 OR instr(coalesce(new.content, ''), '/api/media/') > 0)
          AND coalesce(old.content, '') <> coalesce(new.content, '') BEGIN
  DELETE FROM media_uses WHERE source = 'announcement' AND source_id = old.id;
  INSERT INTO media_uses (source, source_id, media_id) SELECT 'announcement' AS source, new.id AS source_id, media.id AS media_id
    FROM media WHERE media.id IN (
      WITH RECURSIVE link (rest) AS (
        SELECT coalesce(new.content, '')
        UNION ALL
        SELECT substr(rest, instr(rest, '/api/media/') + 11) FROM link WHERE instr(rest, '/api/media/') > 0
      )
      SELECT DISTINCT CAST(substr(rest, 1, 16) AS INTEGER) AS id FROM link
    );
END;
--> statement-breakpoint
CREATE TRIGGER media_uses_announcement_deleted AFTER DELETE ON announcements
WHEN instr(coalesce(old.content, ''), '/api/media/') > 0 BEGIN
  DELETE FROM media_uses WHERE source = 'announcement' AND source_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER media_uses_quiz_question_inserted AFTER INSERT ON quiz_questions
WHEN instr(coalesce(new.image_url, ''), '/api/media/') > 0 BEGIN
  INSERT INTO media_uses (source, source_id, media_id) SELECT 'quiz_question' AS source, new.id AS source_id, media.id AS media_id
    FROM media WHERE media.id IN (
      WITH RECURSIVE link (rest) AS (
        SELECT coalesce(new.image_url, '')
        UNION ALL
        SELECT substr(rest, instr(rest, '/api/media/') + 11) FROM link WHERE instr(rest, '/api/media/') > 0
      )
      SELECT DISTINCT CAST(substr(rest, 1, 16) AS INTEGER) AS id FROM link
    );
END;
--> statement-breakpoint
CREATE TRIGGER media_uses_quiz_question_updated AFTER UPDATE OF image_url ON quiz_questions
WHEN (instr(coalesce(old.image_url, ''), '/api/media/') > 0 OR instr(coalesce(new.image_url, ''), '/api/media/') > 0)
          AND coalesce(old.image_url, '') <> coalesce(new.image_url, '') BEGIN
  DELETE FROM media_uses WHERE source = 'quiz_question' AND source_id = old.id;
  INSERT INTO media_uses (source, source_id, media_id) SELECT 'quiz_question' AS source, new.id AS source_id, media.id AS media_id
    FROM media WHERE media.id IN (
      WITH RECURSIVE link (rest) AS (
        SELECT coalesce(new.image_url, '')
        UNION ALL
        SELECT substr(rest, instr(rest, '/api/media/') + 11) FROM link WHERE instr(rest, '/api/media/') > 0
      )
      SELECT DISTINCT CAST(substr(rest, 1, 16) AS INTEGER) AS id FROM link
    );
END;
--> statement-breakpoint
CREATE TRIGGER media_uses_quiz_question_deleted AFTER DELETE ON quiz_questions
WHEN instr(coalesce(old.image_url, ''), '/api/media/') > 0 BEGIN
  DELETE FROM media_uses WHERE source = 'quiz_question' AND source_id = old.id;
END;
