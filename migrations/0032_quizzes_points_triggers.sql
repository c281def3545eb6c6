-- What a quiz is worth may change after it was taken: its points are the best attempt's share of what it is worth now.
CREATE TRIGGER quizzes_points_changed AFTER UPDATE OF total_points ON modules
WHEN new.type = 'quiz' AND old.total_points <> new.total_points BEGIN
  UPDATE module_statuses SET points_awarded = coalesce((
      SELECT max(iif(out_of > 0, CAST(round(score * new.total_points / out_of) AS INTEGER), new.total_points)) FROM quiz_attempts
      WHERE quiz_attempts.enrolment_id = module_statuses.enrolment_id AND quiz_attempts.module_id = new.id
        AND quiz_attempts.status = 'Completed' AND (quiz_attempts.recorded OR quiz_attempts.started_at >= module_statuses.started_at)
    ), points_awarded)
    WHERE module_id = new.id AND points_awarded IS NOT NULL;
END;
