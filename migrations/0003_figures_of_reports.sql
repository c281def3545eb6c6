CREATE TABLE `course_days` (
	`course_id` integer NOT NULL,
	`day` text NOT NULL,
	`enrolled` integer NOT NULL,
	`started` integer NOT NULL,
	`completed` integer NOT NULL,
	PRIMARY KEY(`course_id`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `module_tallies` (
	`course_id` integer NOT NULL,
	`module_id` integer NOT NULL,
	`in_progress` integer NOT NULL,
	`submitted` integer NOT NULL,
	`completed` integer NOT NULL,
	PRIMARY KEY(`course_id`, `module_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `quiz_scores` (
	`course_id` integer NOT NULL,
	`module_id` integer NOT NULL,
	`percent` integer NOT NULL,
	`attempts` integer NOT NULL,
	`passed` integer NOT NULL,
	PRIMARY KEY(`course_id`, `module_id`, `percent`)
) WITHOUT ROWID;
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
CREATE TRIGGER module_statuses_tallied AFTER INSERT ON module_statuses
WHEN new.status <> 'Not Started' BEGIN
  INSERT INTO module_tallies (course_id, module_id, in_progress, submitted, completed)
  SELECT course_id, new.module_id, (new.status = 'In Progress'), (new.status = 'Submitted'), (new.status = 'Completed')
  FROM enrolments
  WHERE id = new.enrolment_id
  ON CONFLICT (course_id, module_id) DO UPDATE SET
    in_progress = in_progress + excluded.in_progress,
    submitted = submitted + excluded.submitted,
    completed = completed + excluded.completed;
END;
--> statement-breakpoint
CREATE TRIGGER module_statuses_retallied AFTER UPDATE OF status ON module_statuses
WHEN old.status <> new.status BEGIN
  INSERT INTO module_tallies (course_id, module_id, in_progress, submitted, completed)
  SELECT course_id, new.module_id, (new.status = 'In Progress') - (old.status = 'In Progress'), (new.status = 'Submitted') - (old.status = 'Submitted'), (new.status = 'Completed') - (old.status = 'Completed')
  FROM enrolments
  WHERE id = new.enrolment_id
  ON CONFLICT (course_id, module_id) DO UPDATE SET
    in_progress = in_progress + excluded.in_progress,
    submitted = submitted + excluded.submitted,
    completed = completed + excluded.completed;
END;
--> statement-breakpoint
CREATE TRIGGER enrolments_modules_untallied BEFORE DELETE ON enrolments BEGIN
  UPDATE module_tallies SET
    in_progress = in_progress - (own.status = 'In Progress'),
    submitted = submitted - (own.status = 'Submitted'),
    completed = completed - (own.status = 'Completed')
  FROM module_statuses AS own
  WHERE own.enrolment_id = old.id AND own.status <> 'Not Started'
    AND module_tallies.course_id = old.course_id AND module_tallies.module_id = own.module_id;
END;
--> statement-breakpoint
CREATE TRIGGER module_statuses_untallied AFTER DELETE ON module_statuses
WHEN old.status <> 'Not Started' BEGIN
  UPDATE module_tallies SET
    in_progress = in_progress - (old.status = 'In Progress'),
    submitted = submitted - (old.status = 'Submitted'),
    completed = completed - (old.status = 'Completed')
  WHERE module_id = old.module_id AND course_id = (SELECT course_id FROM enrolments WHERE id = old.enrolment_id);
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
CREATE TRIGGER quiz_scores_moved AFTER UPDATE OF status, percent, result ON quiz_attempts
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
--> statement-breakpoint
INSERT INTO course_days (course_id, day, enrolled, started, completed)
SELECT course_id, date(created_at / 1000, 'unixepoch') AS day,
  sum(verb = 'ENROLLED') AS enrolled, sum(verb = 'STARTED') AS started, sum(verb = 'COMPLETED') AS completed
FROM activities
WHERE verb IN ('ENROLLED', 'STARTED', 'COMPLETED') AND course_id IS NOT NULL
GROUP BY 1, 2;
--> statement-breakpoint
INSERT INTO module_tallies (course_id, module_id, in_progress, submitted, completed)
SELECT enrolments.course_id, own.module_id, sum(own.status = 'In Progress') AS in_progress,
  sum(own.status = 'Submitted') AS submitted, sum(own.status = 'Completed') AS completed
FROM module_statuses AS own JOIN enrolments ON enrolments.id = own.enrolment_id
WHERE own.status <> 'Not Started'
GROUP BY 1, 2;
--> statement-breakpoint
INSERT INTO quiz_scores (course_id, module_id, percent, attempts, passed)
SELECT course_id, module_id, percent, count(*) AS attempts, sum(result = 'passed') AS passed
FROM quiz_attempts
WHERE status = 'Completed'
GROUP BY 1, 2, 3;
