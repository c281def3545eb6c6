DROP TRIGGER audit_entries_written;
--> statement-breakpoint
DROP TRIGGER audit_logs_fixed;
--> statement-breakpoint
DROP VIEW audit_entries;
--> statement-breakpoint
CREATE TABLE `erasures` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`caller_id` integer,
	`reason` text NOT NULL,
	`status` text DEFAULT 'processing' NOT NULL,
	`subject` text,
	`stage` integer DEFAULT 0 NOT NULL,
	`after` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`lease` text,
	`lease_until` integer DEFAULT 0 NOT NULL,
	`due_at` integer,
	`created_at` integer NOT NULL,
	`completed_at` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `erasures_due` ON `erasures` (`due_at`) WHERE "erasures"."due_at" is not null;
--> statement-breakpoint
CREATE TABLE `sealings` (
	`name` text PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`position` text,
	`since` integer NOT NULL,
	`done_at` integer DEFAULT 0 NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `audit_logs` ADD `work` integer;
--> statement-breakpoint
CREATE TRIGGER users_erased_kept BEFORE UPDATE OF disabled ON users
WHEN old.disabled AND NOT new.disabled AND EXISTS (SELECT 1 FROM erasures WHERE user_id = old.id) BEGIN
  SELECT RAISE(ABORT, 'An erased user is never enabled.');
END;
--> statement-breakpoint
CREATE VIEW audit_entries (performed_by, action, subject, subject_id, effect_on, details, work, created_at) AS
  SELECT 0, '', '', 0, '', '', 0, 0 WHERE false;
--> statement-breakpoint
CREATE TRIGGER audit_entries_written INSTEAD OF INSERT ON audit_entries BEGIN
  INSERT INTO audit_logs (performed_by, action, subject, subject_id, effect_on, details, work, created_at, of_performer, of_kind)
  VALUES (
    new.performed_by, new.action, new.subject, new.subject_id, new.effect_on, new.details, new.work,
    max(new.created_at, coalesce((SELECT created_at FROM audit_logs WHERE true ORDER BY id DESC LIMIT 1), 0)),
    1 + coalesce((SELECT of_performer FROM audit_logs WHERE performed_by IS new.performed_by ORDER BY id DESC LIMIT 1), 0),
    1 + coalesce((SELECT of_kind FROM audit_logs WHERE subject = new.subject AND action = new.action ORDER BY id DESC LIMIT 1), 0)
  );
END;
--> statement-breakpoint
CREATE TRIGGER audit_logs_fixed BEFORE UPDATE ON audit_logs
WHEN old.id IS NOT new.id
OR old.performed_by IS NOT new.performed_by
OR old.action IS NOT new.action
OR old.subject IS NOT new.subject
OR old.subject_id IS NOT new.subject_id
OR old.created_at IS NOT new.created_at
OR old.of_performer IS NOT new.of_performer
OR old.of_kind IS NOT new.of_kind
OR old.others IS NOT new.others
OR NOT EXISTS (SELECT 1 FROM erasures WHERE due_at IS NOT NULL) BEGIN
  SELECT RAISE(ABORT, 'An audit row is never changed.');
END;
--> statement-breakpoint
CREATE TRIGGER erasures_told AFTER INSERT ON erasures BEGIN
  INSERT INTO events (type, occurred_at, data)
  SELECT 'user.erased', max(
    CAST(unixepoch('subsec') * 1000 AS INTEGER),
    coalesce((SELECT occurred_at FROM events ORDER BY id DESC LIMIT 1), 0)),
    json_object('user', json_object('id', new.user_id))
  WHERE true;
END;
