-- A registration that was reset keeps the certificates it had earned until it ends; its paths count them until then.
CREATE TRIGGER learning_paths_certificates_ended AFTER DELETE ON enrolments
WHEN old.status = 'Not Started' AND old.certificate_count > 0 BEGIN
  UPDATE learning_path_enrolments SET certificate_count = certificate_count - old.certificate_count
    WHERE user_id = old.user_id AND learning_path_id IN (
      SELECT learning_path_id FROM learning_path_courses WHERE course_id = old.course_id);
END;
--> statement-breakpoint
UPDATE learning_path_enrolments SET certificate_count = (
  SELECT coalesce(sum(taken.certificate_count), 0) FROM learning_path_courses AS part
    JOIN enrolments AS taken ON taken.course_id = part.course_id
    WHERE part.learning_path_id = learning_path_enrolments.learning_path_id AND taken.user_id = learning_path_enrolments.user_id);
