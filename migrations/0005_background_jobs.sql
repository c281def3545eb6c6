DROP TRIGGER module_statuses_inserted;
--> statement-breakpoint
DROP TRIGGER module_statuses_moved;
--> statement-breakpoint
DROP TRIGGER enrolments_points_given;
--> statement-breakpoint
DROP TRIGGER enrolments_points_changed;
--> statement-breakpoint
DROP TRIGGER enrolments_points_taken;
--> statement-breakpoint
DROP TRIGGER enrolments_points_possible;
--> statement-breakpoint
CREATE TABLE `background_jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`params` text NOT NULL,
	`caller_id` integer,
	`status` text DEFAULT 'processing' NOT NULL,
	`stage` integer DEFAULT 0 NOT NULL,
	`after` text,
	`done` integer DEFAULT 0 NOT NULL,
	`total` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`lease` text,
	`lease_until` integer DEFAULT 0 NOT NULL,
	`due_at` integer,
	`created_at` integer NOT NULL,
	`completed_at` integer DEFAULT 0 NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `background_jobs_due` ON `background_jobs` (`due_at`) WHERE "background_jobs"."due_at" is not null;
--> statement-breakpoint
CREATE INDEX `background_jobs_completed` ON `background_jobs` (`completed_at`) WHERE "background_jobs"."completed_at" > 0;
--> statement-breakpoint
CREATE TRIGGER module_statuses_inserted AFTER INSERT ON module_statuses BEGIN
  UPDATE enrolments SET
    status = iif(enrolments.status = 'Completed' OR (progress.goal > 0 AND progress.done >= progress.goal),
      'Completed',
      iif(new.status = 'Not Started', enrolments.status, 'In Progress')),
    started_at = iif(enrolments.started_at = 0 AND new.status <> 'Not Started',
      iif(new.started_at > 0, new.started_at, new.last_accessed_at),
      enrolments.started_at),
    completed_at = iif(enrolments.status <> 'Completed' AND (progress.goal > 0 AND progress.done >= progress.goal),
      iif(new.completed_at > 0, new.completed_at, new.last_accessed_at),
      enrolments.completed_at),
    done = progress.done,
    percent = max(enrolments.percent, min(100, coalesce((progress.done) * 100 / nullif(progress.goal, 0), 0))),
    last_accessed_at = max(enrolments.last_accessed_at, new.last_accessed_at),
    time_spent = enrolments.time_spent + new.time_spent
  FROM (
    SELECT registration.id AS id, courses.goal AS goal, (
      SELECT count(*)
      FROM module_statuses AS state
        JOIN course_modules AS part ON part.course_id = registration.course_id AND part.module_id = state.module_id
      WHERE state.enrolment_id = registration.id AND state.status = 'Completed' AND part.counts) AS done
    FROM enrolments AS registration JOIN courses ON courses.id = registration.course_id
    WHERE registration.id = new.enrolment_id
  ) AS progress
  WHERE enrolments.id = progress.id AND enrolments.status <> iif(enrolments.status = 'Completed' OR (progress.goal > 0 AND progress.done >= progress.goal),
      'Completed',
      iif(new.status = 'Not Started', enrolments.status, 'In Progress'));
  UPDATE enrolments SET
    done = progress.done,
    percent = max(enrolments.percent, min(100, coalesce((progress.done) * 100 / nullif(progress.goal, 0), 0))),
    last_accessed_at = max(enrolments.last_accessed_at, new.last_accessed_at),
    time_spent = enrolments.time_spent + new.time_spent
  FROM (
    SELECT registration.id AS id, courses.goal AS goal, (
      SELECT count(*)
      FROM module_statuses AS state
        JOIN course_modules AS part ON part.course_id = registration.course_id AND part.module_id = state.module_id
      WHERE state.enrolment_id = registration.id AND state.status = 'Completed' AND part.counts) AS done
    FROM enrolments AS registration JOIN courses ON courses.id = registration.course_id
    WHERE registration.id = new.enrolment_id
  ) AS progress
  WHERE changes() = 0 AND enrolments.id = progress.id;
END;
--> statement-breakpoint
CREATE TRIGGER module_statuses_moved AFTER UPDATE OF status ON module_statuses
WHEN old.status <> new.status BEGIN
  UPDATE enrolments SET
    status = iif(enrolments.status = 'Completed' OR (progress.goal > 0 AND progress.done >= progress.goal),
      'Completed',
      iif(new.status = 'Not Started', enrolments.status, 'In Progress')),
    started_at = iif(enrolments.started_at = 0 AND new.status <> 'Not Started',
      iif(new.started_at > 0, new.started_at, new.last_accessed_at),
      enrolments.started_at),
    completed_at = iif(enrolments.status <> 'Completed' AND (progress.goal > 0 AND progress.done >= progress.goal),
      iif(new.completed_at > 0, new.completed_at, new.last_accessed_at),
      enrolments.completed_at),
    done = progress.done,
    percent = max(enrolments.percent, min(100, coalesce((progress.done) * 100 / nullif(progress.goal, 0), 0))),
    last_accessed_at = max(enrolments.last_accessed_at, new.last_accessed_at),
    time_spent = enrolments.time_spent + new.time_spent - old.time_spent
  FROM (
    SELECT registration.id AS id, courses.goal AS goal, (
      SELECT count(*)
      FROM module_statuses AS state
        JOIN course_modules AS part ON part.course_id = registration.course_id AND part.module_id = state.module_id
      WHERE state.enrolment_id = registration.id AND state.status = 'Completed' AND part.counts) AS done
    FROM enrolments AS registration JOIN courses ON courses.id = registration.course_id
    WHERE registration.id = new.enrolment_id
  ) AS progress
  WHERE enrolments.id = progress.id AND enrolments.status <> iif(enrolments.status = 'Completed' OR (progress.goal > 0 AND progress.done >= progress.goal),
      'Completed',
      iif(new.status = 'Not Started', enrolments.status, 'In Progress'));
  UPDATE enrolments SET
    done = progress.done,
    percent = max(enrolments.percent, min(100, coalesce((progress.done) * 100 / nullif(progress.goal, 0), 0))),
    last_accessed_at = max(enrolments.last_accessed_at, new.last_accessed_at),
    time_spent = enrolments.time_spent + new.time_spent - old.time_spent
  FROM (
    SELECT registration.id AS id, courses.goal AS goal, (
      SELECT count(*)
      FROM module_statuses AS state
        JOIN course_modules AS part ON part.course_id = registration.course_id AND part.module_id = state.module_id
      WHERE state.enrolment_id = registration.id AND state.status = 'Completed' AND part.counts) AS done
    FROM enrolments AS registration JOIN courses ON courses.id = registration.course_id
    WHERE registration.id = new.enrolment_id
  ) AS progress
  WHERE changes() = 0 AND enrolments.id = progress.id;
END;
--> statement-breakpoint
CREATE TRIGGER enrolments_points_given AFTER INSERT ON module_statuses
WHEN new.points_awarded IS NOT NULL BEGIN
  UPDATE enrolments SET
    points_awarded = (
      SELECT coalesce(sum(state.points_awarded), 0)
      FROM module_statuses AS state
        JOIN course_modules AS part ON part.course_id = enrolments.course_id AND part.module_id = state.module_id
      WHERE state.enrolment_id = enrolments.id),
    points_possible = (
      SELECT coalesce(sum((SELECT total_points FROM modules WHERE id = state.module_id)), 0)
      FROM module_statuses AS state
        JOIN course_modules AS part ON part.course_id = enrolments.course_id AND part.module_id = state.module_id
      WHERE state.enrolment_id = enrolments.id
        AND state.points_awarded IS NOT NULL)
  WHERE id = new.enrolment_id;
END;
--> statement-breakpoint
CREATE TRIGGER enrolments_points_changed AFTER UPDATE OF points_awarded ON module_statuses
WHEN old.points_awarded IS NOT new.points_awarded BEGIN
  UPDATE enrolments SET
    points_awarded = (
      SELECT coalesce(sum(state.points_awarded), 0)
      FROM module_statuses AS state
        JOIN course_modules AS part ON part.course_id = enrolments.course_id AND part.module_id = state.module_id
      WHERE state.enrolment_id = enrolments.id),
    points_possible = (
      SELECT coalesce(sum((SELECT total_points FROM modules WHERE id = state.module_id)), 0)
      FROM module_statuses AS state
        JOIN course_modules AS part ON part.course_id = enrolments.course_id AND part.module_id = state.module_id
      WHERE state.enrolment_id = enrolments.id
        AND state.points_awarded IS NOT NULL)
  WHERE id = new.enrolment_id;
END;
--> statement-breakpoint
CREATE TRIGGER enrolments_points_taken AFTER DELETE ON module_statuses
WHEN old.points_awarded IS NOT NULL BEGIN
  UPDATE enrolments SET
    points_awarded = (
      SELECT coalesce(sum(state.points_awarded), 0)
      FROM module_statuses AS state
        JOIN course_modules AS part ON part.course_id = enrolments.course_id AND part.module_id = state.module_id
      WHERE state.enrolment_id = enrolments.id),
    points_possible = (
      SELECT coalesce(sum((SELECT total_points FROM modules WHERE id = state.module_id)), 0)
      FROM module_statuses AS state
        JOIN course_modules AS part ON part.course_id = enrolments.course_id AND part.module_id = state.module_id
      WHERE state.enrolment_id = enrolments.id
        AND state.points_awarded IS NOT NULL)
  WHERE id = old.enrolment_id;
END;
