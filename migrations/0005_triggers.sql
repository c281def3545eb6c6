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
