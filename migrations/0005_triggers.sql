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
