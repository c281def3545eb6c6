-- A path whose last begun course is taken back is Not Started at 0 percent, whatever courses it had before; one that is
-- Completed keeps the day on which it was started.
DROP TRIGGER learning_paths_course_moved;
--> statement-breakpoint
CREATE TRIGGER learning_paths_course_moved AFTER UPDATE OF status, certificate_count ON enrolments
WHEN old.status <> new.status OR old.certificate_count <> new.certificate_count BEGIN
  UPDATE learning_path_enrolments SET
    completed_courses = progress.done,
    certificate_count = progress.certificates,
    percent = iif((old.status = 'Completed' AND new.status <> 'Completed') OR (progress.begun = 0 AND old.status <> new.status AND NOT (progress.done = progress.goal OR (status = 'Completed' AND NOT (old.status = 'Completed' AND new.status <> 'Completed')))), progress.done * 100 / progress.goal, max(percent, progress.done * 100 / progress.goal)),
    status = iif((progress.done = progress.goal OR (status = 'Completed' AND NOT (old.status = 'Completed' AND new.status <> 'Completed'))), 'Completed',
      iif(progress.begun > 0 OR (status <> 'Not Started' AND old.status = new.status), 'In Progress', 'Not Started')),
    started_at = iif((progress.begun = 0 AND old.status <> new.status AND NOT (progress.done = progress.goal OR (status = 'Completed' AND NOT (old.status = 'Completed' AND new.status <> 'Completed')))), 0, iif(started_at > 0 OR progress.begun = 0, started_at, max(registered_at, progress.first_start))),
    completed_at = iif((progress.done = progress.goal OR (status = 'Completed' AND NOT (old.status = 'Completed' AND new.status <> 'Completed'))),
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
DROP TRIGGER learning_paths_course_ended;
--> statement-breakpoint
CREATE TRIGGER learning_paths_course_ended AFTER DELETE ON enrolments WHEN old.status <> 'Not Started' BEGIN
  UPDATE learning_path_enrolments SET
    completed_courses = progress.done,
    certificate_count = progress.certificates,
    percent = iif(old.status = 'Completed' OR (progress.begun = 0 AND NOT (progress.done = progress.goal OR (status = 'Completed' AND NOT old.status = 'Completed'))), progress.done * 100 / progress.goal, max(percent, progress.done * 100 / progress.goal)),
    status = iif((progress.done = progress.goal OR (status = 'Completed' AND NOT old.status = 'Completed')), 'Completed',
      iif(progress.begun > 0, 'In Progress', 'Not Started')),
    started_at = iif((progress.begun = 0 AND NOT (progress.done = progress.goal OR (status = 'Completed' AND NOT old.status = 'Completed'))), 0, iif(started_at > 0 OR progress.begun = 0, started_at, max(registered_at, progress.first_start))),
    completed_at = iif((progress.done = progress.goal OR (status = 'Completed' AND NOT old.status = 'Completed')),
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
