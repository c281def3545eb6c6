DROP TRIGGER audit_entries_written;
--> statement-breakpoint
DROP VIEW audit_entries;
--> statement-breakpoint
ALTER TABLE `audit_logs` ADD `work` integer;
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
