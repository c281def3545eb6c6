-- An attended class earns what a gamification event gives for it.
CREATE TRIGGER happenings_class_attended_at_once AFTER INSERT ON class_enrolments WHEN new.status = 'Attended' BEGIN
  INSERT INTO happenings (user_id, type, target_id, cause, at)
    VALUES (new.user_id, 'class_attended', new.class_id, 'class:' || new.class_id, new.start_at);
END;
--> statement-breakpoint
CREATE TRIGGER happenings_class_attended AFTER UPDATE OF status ON class_enrolments WHEN old.status <> 'Attended' AND new.status = 'Attended' BEGIN
  INSERT INTO happenings (user_id, type, target_id, cause, at)
    VALUES (new.user_id, 'class_attended', new.class_id, 'class:' || new.class_id, new.start_at);
END;
