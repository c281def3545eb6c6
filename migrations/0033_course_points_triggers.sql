-- A registration's points are those of the modules that its course has now, as its progress is and the gradebook shows. What a
-- course no longer has keeps its state, and counts again once it is put back.
DROP TRIGGER enrolments_points_given;
--> statement-breakpoint
CREATE TRIGGER enrolments_points_given AFTER INSERT ON module_statuses WHEN new.points_awarded IS NOT NULL BEGIN
  UPDATE enrolments SET points_awarded = points_awarded + new.points_awarded,
    points_possible = points_possible + (SELECT total_points FROM modules WHERE id = new.module_id)
    WHERE id = new.enrolment_id
      AND EXISTS (SELECT 1 FROM course_modules WHERE course_id = enrolments.course_id AND module_id = new.module_id);
END;
--> statement-breakpoint
DROP TRIGGER enrolments_points_changed;
--> statement-breakpoint
CREATE TRIGGER enrolments_points_changed AFTER UPDATE OF points_awarded ON module_statuses WHEN old.points_awarded IS NOT new.points_awarded BEGIN
  UPDATE enrolments SET points_awarded = points_awarded + coalesce(new.points_awarded, 0) - coalesce(old.points_awarded, 0),
    points_possible = points_possible + (SELECT total_points FROM modules WHERE id = new.module_id)
      * ((new.points_awarded IS NOT NULL) - (old.points_awarded IS NOT NULL))
    WHERE id = new.enrolment_id
      AND EXISTS (SELECT 1 FROM course_modules WHERE course_id = enrolments.course_id AND module_id = new.module_id);
END;
--> statement-breakpoint
DROP TRIGGER enrolments_points_taken;
--> statement-breakpoint
CREATE TRIGGER enrolments_points_taken AFTER DELETE ON module_statuses WHEN old.points_awarded IS NOT NULL BEGIN
  UPDATE enrolments SET points_awarded = points_awarded - old.points_awarded,
    points_possible = points_possible - (SELECT total_points FROM modules WHERE id = old.module_id)
    WHERE id = old.enrolment_id
      AND EXISTS (SELECT 1 FROM course_modules WHERE course_id = enrolments.course_id AND module_id = old.module_id);
END;
--> statement-breakpoint
DROP TRIGGER enrolments_points_possible;
--> statement-breakpoint
CREATE TRIGGER enrolments_points_possible AFTER UPDATE OF total_points ON modules WHEN old.total_points <> new.total_points BEGIN
  UPDATE enrolments SET points_possible = points_possible + new.total_points - old.total_points
    WHERE id IN (SELECT enrolment_id FROM module_statuses WHERE module_id = new.id AND points_awarded IS NOT NULL)
      AND EXISTS (SELECT 1 FROM course_modules WHERE course_id = enrolments.course_id AND module_id = new.id);
END;
--> statement-breakpoint
UPDATE enrolments SET
  points_awarded = (SELECT coalesce(sum(state.points_awarded), 0) FROM module_statuses AS state
    JOIN course_modules AS part ON part.course_id = enrolments.course_id AND part.module_id = state.module_id
    WHERE state.enrolment_id = enrolments.id),
  points_possible = (SELECT coalesce(sum(modules.total_points), 0) FROM module_statuses AS state
    JOIN course_modules AS part ON part.course_id = enrolments.course_id AND part.module_id = state.module_id
    JOIN modules ON modules.id = state.module_id
    WHERE state.enrolment_id = enrolments.id AND state.points_awarded IS NOT NULL)
  WHERE id IN (SELECT state.enrolment_id FROM module_statuses AS state JOIN enrolments AS own ON own.id = state.enrolment_id
    WHERE state.points_awarded IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM course_modules WHERE course_id = own.course_id AND module_id = state.module_id));
