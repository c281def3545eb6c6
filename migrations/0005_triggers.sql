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
  WHERE new.status = 'Completed' AND new.result <> 'pending'
  ON CONFLICT (course_id, module_id, percent) DO UPDATE SET
    attempts = attempts + excluded.attempts,
    passed = passed + excluded.passed;
END;
--> statement-breakpoint
CREATE TRIGGER quiz_scores_updated AFTER UPDATE OF status, percent, result ON quiz_attempts
WHEN old.status <> new.status OR old.percent <> new.percent OR old.result <> new.result BEGIN
  INSERT INTO quiz_scores (course_id, module_id, percent, attempts, passed)
  SELECT old.course_id, old.module_id, old.percent, -1, -(old.result = 'passed')
  WHERE old.status = 'Completed' AND old.result <> 'pending'
  ON CONFLICT (course_id, module_id, percent) DO UPDATE SET
    attempts = attempts + excluded.attempts,
    passed = passed + excluded.passed;
  INSERT INTO quiz_scores (course_id, module_id, percent, attempts, passed)
  SELECT new.course_id, new.module_id, new.percent, 1, (new.result = 'passed')
  WHERE new.status = 'Completed' AND new.result <> 'pending'
  ON CONFLICT (course_id, module_id, percent) DO UPDATE SET
    attempts = attempts + excluded.attempts,
    passed = passed + excluded.passed;
END;
--> statement-breakpoint
CREATE TRIGGER quiz_scores_uncounted AFTER DELETE ON quiz_attempts
WHEN old.status = 'Completed' BEGIN
  INSERT INTO quiz_scores (course_id, module_id, percent, attempts, passed)
  SELECT old.course_id, old.module_id, old.percent, -1, -(old.result = 'passed')
  WHERE old.status = 'Completed' AND old.result <> 'pending'
  ON CONFLICT (course_id, module_id, percent) DO UPDATE SET
    attempts = attempts + excluded.attempts,
    passed = passed + excluded.passed;
END;
