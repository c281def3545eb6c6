-- Learning paths: substring search, kept counts, and progress that follows the registrations in their courses.

CREATE VIRTUAL TABLE learning_paths_search USING fts5(text, tokenize = 'trigram', content = '', contentless_delete = 1);
--> statement-breakpoint
CREATE TRIGGER learning_paths_inserted AFTER INSERT ON learning_paths BEGIN
  INSERT INTO learning_paths_search (rowid, text) VALUES (new.id, new.search_text);
  INSERT INTO counters (key, value) VALUES ('learning_paths', 1), ('learning_paths:' || new.type, 1)
    ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER learning_paths_search_changed AFTER UPDATE OF search_text ON learning_paths WHEN old.search_text <> new.search_text BEGIN
  UPDATE learning_paths_search SET text = new.search_text WHERE rowid = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER learning_paths_type_changed AFTER UPDATE OF type ON learning_paths WHEN old.type <> new.type BEGIN
  UPDATE counters SET value = value - 1 WHERE key = 'learning_paths:' || old.type;
  INSERT INTO counters (key, value) VALUES ('learning_paths:' || new.type, 1) ON CONFLICT (key) DO UPDATE SET value = value + 1;
END;
--> statement-breakpoint
CREATE TRIGGER learning_paths_deleted AFTER DELETE ON learning_paths BEGIN
  DELETE FROM learning_paths_search WHERE rowid = old.id;
  UPDATE counters SET value = value - 1 WHERE key IN ('learning_paths', 'learning_paths:' || old.type);
END;
--> statement-breakpoint

-- What a path sums up of its courses.
CREATE TRIGGER learning_path_courses_inserted AFTER INSERT ON learning_path_courses BEGIN
  UPDATE learning_paths SET course_count = course_count + 1,
    estimated_minutes = learning_paths.estimated_minutes + courses.estimated_minutes,
    rating_sum = learning_paths.rating_sum + courses.rating_sum, rating_count = learning_paths.rating_count + courses.rating_count
    FROM courses WHERE courses.id = new.course_id AND learning_paths.id = new.learning_path_id;
END;
--> statement-breakpoint
CREATE TRIGGER learning_path_courses_deleted AFTER DELETE ON learning_path_courses BEGIN
  UPDATE learning_paths SET course_count = course_count - 1,
    estimated_minutes = learning_paths.estimated_minutes - courses.estimated_minutes,
    rating_sum = learning_paths.rating_sum - courses.rating_sum, rating_count = learning_paths.rating_count - courses.rating_count
    FROM courses WHERE courses.id = old.course_id AND learning_paths.id = old.learning_path_id;
END;
--> statement-breakpoint
CREATE TRIGGER learning_paths_course_changed AFTER UPDATE OF estimated_minutes, rating_sum, rating_count ON courses
WHEN old.estimated_minutes <> new.estimated_minutes OR old.rating_sum <> new.rating_sum OR old.rating_count <> new.rating_count BEGIN
  UPDATE learning_paths SET estimated_minutes = estimated_minutes + new.estimated_minutes - old.estimated_minutes,
    rating_sum = rating_sum + new.rating_sum - old.rating_sum, rating_count = rating_count + new.rating_count - old.rating_count
    WHERE id IN (SELECT learning_path_id FROM learning_path_courses WHERE course_id = new.id);
END;
--> statement-breakpoint

-- A path's progress: what is Completed stays so until one of its courses is taken back.
CREATE TRIGGER learning_paths_course_begun AFTER INSERT ON enrolments WHEN new.status <> 'Not Started' BEGIN
  UPDATE learning_path_enrolments SET
    completed_courses = progress.done,
    certificate_count = progress.certificates,
    percent = max(percent, progress.done * 100 / progress.goal),
    status = iif(progress.done = progress.goal OR status = 'Completed', 'Completed',
      iif(progress.begun > 0, 'In Progress', 'Not Started')),
    started_at = iif(progress.begun = 0, 0, iif(started_at > 0, started_at, max(registered_at, progress.first_start))),
    completed_at = iif(progress.done = progress.goal OR status = 'Completed',
      iif(completed_at > 0, completed_at, max(registered_at, progress.last_end)), 0)
    FROM (
      SELECT own.id AS id, count(*) AS goal, count(*) FILTER (WHERE taken.status = 'Completed') AS done, count(*) FILTER (WHERE taken.status <> 'Not Started') AS begun,
        coalesce(min(nullif(taken.started_at, 0)), 0) AS first_start, coalesce(max(taken.completed_at), 0) AS last_end,
        coalesce(sum(taken.certificate_count), 0) AS certificates
      FROM learning_path_courses AS changed
        JOIN learning_path_enrolments AS own ON own.user_id = new.user_id AND own.learning_path_id = changed.learning_path_id
        JOIN learning_path_courses AS part ON part.learning_path_id = own.learning_path_id
        LEFT JOIN enrolments AS taken ON taken.course_id = part.course_id AND taken.user_id = own.user_id
      WHERE changed.course_id = new.course_id GROUP BY own.id
    ) AS progress
    WHERE learning_path_enrolments.id = progress.id;
END;
--> statement-breakpoint
CREATE TRIGGER learning_paths_course_moved AFTER UPDATE OF status, certificate_count ON enrolments
WHEN old.status <> new.status OR old.certificate_count <> new.certificate_count BEGIN
  UPDATE learning_path_enrolments SET
    completed_courses = progress.done,
    certificate_count = progress.certificates,
    percent = iif((old.status = 'Completed' AND new.status <> 'Completed'), progress.done * 100 / progress.goal, max(percent, progress.done * 100 / progress.goal)),
    status = iif(progress.done = progress.goal OR (status = 'Completed' AND NOT (old.status = 'Completed' AND new.status <> 'Completed')), 'Completed',
      iif(progress.begun > 0, 'In Progress', 'Not Started')),
    started_at = iif(progress.begun = 0, 0, iif(started_at > 0, started_at, max(registered_at, progress.first_start))),
    completed_at = iif(progress.done = progress.goal OR (status = 'Completed' AND NOT (old.status = 'Completed' AND new.status <> 'Completed')),
      iif(completed_at > 0, completed_at, max(registered_at, progress.last_end)), 0)
    FROM (
      SELECT own.id AS id, count(*) AS goal, count(*) FILTER (WHERE taken.status = 'Completed') AS done, count(*) FILTER (WHERE taken.status <> 'Not Started') AS begun,
        coalesce(min(nullif(taken.started_at, 0)), 0) AS first_start, coalesce(max(taken.completed_at), 0) AS last_end,
        coalesce(sum(taken.certificate_count), 0) AS certificates
      FROM learning_path_courses AS changed
        JOIN learning_path_enrolments AS own ON own.user_id = new.user_id AND own.learning_path_id = changed.learning_path_id
        JOIN learning_path_courses AS part ON part.learning_path_id = own.learning_path_id
        LEFT JOIN enrolments AS taken ON taken.course_id = part.course_id AND taken.user_id = own.user_id
      WHERE changed.course_id = new.course_id GROUP BY own.id
    ) AS progress
    WHERE learning_path_enrolments.id = progress.id;
END;
--> statement-breakpoint
CREATE TRIGGER learning_paths_course_ended AFTER DELETE ON enrolments WHEN old.status <> 'Not Started' BEGIN
  UPDATE learning_path_enrolments SET
    completed_courses = progress.done,
    certificate_count = progress.certificates,
    percent = iif(old.status = 'Completed', progress.done * 100 / progress.goal, max(percent, progress.done * 100 / progress.goal)),
    status = iif(progress.done = progress.goal OR (status = 'Completed' AND NOT old.status = 'Completed'), 'Completed',
      iif(progress.begun > 0, 'In Progress', 'Not Started')),
    started_at = iif(progress.begun = 0, 0, iif(started_at > 0, started_at, max(registered_at, progress.first_start))),
    completed_at = iif(progress.done = progress.goal OR (status = 'Completed' AND NOT old.status = 'Completed'),
      iif(completed_at > 0, completed_at, max(registered_at, progress.last_end)), 0)
    FROM (
      SELECT own.id AS id, count(*) AS goal, count(*) FILTER (WHERE taken.status = 'Completed') AS done, count(*) FILTER (WHERE taken.status <> 'Not Started') AS begun,
        coalesce(min(nullif(taken.started_at, 0)), 0) AS first_start, coalesce(max(taken.completed_at), 0) AS last_end,
        coalesce(sum(taken.certificate_count), 0) AS certificates
      FROM learning_path_courses AS changed
        JOIN learning_path_enrolments AS own ON own.user_id = old.user_id AND own.learning_path_id = changed.learning_path_id
        JOIN learning_path_courses AS part ON part.learning_path_id = own.learning_path_id
        LEFT JOIN enrolments AS taken ON taken.course_id = part.course_id AND taken.user_id = own.user_id
      WHERE changed.course_id = old.course_id GROUP BY own.id
    ) AS progress
    WHERE learning_path_enrolments.id = progress.id;
END;
