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
