-- Kept counts of quiz attempts, by audience: see quiz_tallies in drizzle/quizzes.ts.
CREATE TRIGGER quiz_attempts_inserted AFTER INSERT ON quiz_attempts BEGIN
  INSERT INTO quiz_tallies (audience, course_id, module_id, begun, in_progress, completed)
    SELECT of.audience, new.course_id * scope.one, new.module_id * scope.one, new.number = 1, new.status = 'In Progress', new.status = 'Completed'
    FROM (SELECT 'all' AS audience UNION ALL SELECT audience FROM audiences WHERE user_id = new.user_id) AS of
      CROSS JOIN (SELECT 0 AS one UNION ALL SELECT 1) AS scope WHERE true
    UNION ALL SELECT 'user:' || new.user_id, 0, 0, new.number = 1, new.status = 'In Progress', new.status = 'Completed'
    WHERE true
    ON CONFLICT (audience, course_id, module_id) DO UPDATE SET
      begun = begun + excluded.begun, in_progress = in_progress + excluded.in_progress, completed = completed + excluded.completed;
END;
--> statement-breakpoint

CREATE TRIGGER quiz_attempts_moved AFTER UPDATE OF status ON quiz_attempts WHEN old.status <> new.status BEGIN
  UPDATE quiz_tallies SET
    in_progress = in_progress + (new.status = 'In Progress') - (old.status = 'In Progress'),
    completed = completed + (new.status = 'Completed') - (old.status = 'Completed')
    WHERE audience IN (SELECT 'all' UNION ALL SELECT 'user:' || old.user_id
      UNION ALL SELECT audience FROM audiences WHERE user_id = old.user_id)
      AND (course_id, module_id) IN (VALUES (0, 0), (old.course_id, old.module_id));
END;
--> statement-breakpoint

CREATE TRIGGER quiz_attempts_deleted AFTER DELETE ON quiz_attempts BEGIN
  UPDATE quiz_tallies SET
    begun = begun - (old.number = 1), in_progress = in_progress - (old.status = 'In Progress'),
    completed = completed - (old.status = 'Completed')
    WHERE audience IN (SELECT 'all' UNION ALL SELECT 'user:' || old.user_id
      UNION ALL SELECT audience FROM audiences WHERE user_id = old.user_id)
      AND (course_id, module_id) IN (VALUES (0, 0), (old.course_id, old.module_id));
END;
--> statement-breakpoint

CREATE TRIGGER quiz_tallies_user_deleted AFTER DELETE ON users BEGIN
  DELETE FROM quiz_tallies WHERE audience = 'user:' || old.id;
END;
--> statement-breakpoint

CREATE TRIGGER group_members_quizzes_tallied AFTER INSERT ON group_members BEGIN
  INSERT INTO quiz_tallies (audience, course_id, module_id, begun, in_progress, completed)
    SELECT 'group:' || new.group_id, course_id * scope.one, module_id * scope.one, (number = 1), (status = 'In Progress'), (status = 'Completed')
    FROM quiz_attempts CROSS JOIN (SELECT 0 AS one UNION ALL SELECT 1) AS scope WHERE user_id = new.user_id
    ON CONFLICT (audience, course_id, module_id) DO UPDATE SET
      begun = begun + excluded.begun, in_progress = in_progress + excluded.in_progress, completed = completed + excluded.completed;
END;
--> statement-breakpoint

CREATE TRIGGER group_members_quizzes_untallied AFTER DELETE ON group_members BEGIN
  INSERT INTO quiz_tallies (audience, course_id, module_id, begun, in_progress, completed)
    SELECT 'group:' || old.group_id, course_id * scope.one, module_id * scope.one, -(number = 1), -(status = 'In Progress'), -(status = 'Completed')
    FROM quiz_attempts CROSS JOIN (SELECT 0 AS one UNION ALL SELECT 1) AS scope WHERE user_id = old.user_id
    ON CONFLICT (audience, course_id, module_id) DO UPDATE SET
      begun = begun + excluded.begun, in_progress = in_progress + excluded.in_progress, completed = completed + excluded.completed;
END;
--> statement-breakpoint

CREATE TRIGGER portal_members_quizzes_tallied AFTER INSERT ON portal_members BEGIN
  INSERT INTO quiz_tallies (audience, course_id, module_id, begun, in_progress, completed)
    SELECT 'portal:' || new.portal_id, course_id * scope.one, module_id * scope.one, (number = 1), (status = 'In Progress'), (status = 'Completed')
    FROM quiz_attempts CROSS JOIN (SELECT 0 AS one UNION ALL SELECT 1) AS scope WHERE user_id = new.user_id
    ON CONFLICT (audience, course_id, module_id) DO UPDATE SET
      begun = begun + excluded.begun, in_progress = in_progress + excluded.in_progress, completed = completed + excluded.completed;
END;
--> statement-breakpoint

CREATE TRIGGER portal_members_quizzes_untallied AFTER DELETE ON portal_members BEGIN
  INSERT INTO quiz_tallies (audience, course_id, module_id, begun, in_progress, completed)
    SELECT 'portal:' || old.portal_id, course_id * scope.one, module_id * scope.one, -(number = 1), -(status = 'In Progress'), -(status = 'Completed')
    FROM quiz_attempts CROSS JOIN (SELECT 0 AS one UNION ALL SELECT 1) AS scope WHERE user_id = old.user_id
    ON CONFLICT (audience, course_id, module_id) DO UPDATE SET
      begun = begun + excluded.begun, in_progress = in_progress + excluded.in_progress, completed = completed + excluded.completed;
END;
--> statement-breakpoint

CREATE TRIGGER reach_quizzes_tallied AFTER INSERT ON reach BEGIN
  INSERT INTO quiz_tallies (audience, course_id, module_id, begun, in_progress, completed)
    SELECT 'reach:' || new.supervisor_id, course_id * scope.one, module_id * scope.one, (number = 1), (status = 'In Progress'), (status = 'Completed')
    FROM quiz_attempts CROSS JOIN (SELECT 0 AS one UNION ALL SELECT 1) AS scope WHERE user_id = new.user_id
    ON CONFLICT (audience, course_id, module_id) DO UPDATE SET
      begun = begun + excluded.begun, in_progress = in_progress + excluded.in_progress, completed = completed + excluded.completed;
END;
--> statement-breakpoint

CREATE TRIGGER reach_quizzes_untallied AFTER DELETE ON reach BEGIN
  INSERT INTO quiz_tallies (audience, course_id, module_id, begun, in_progress, completed)
    SELECT 'reach:' || old.supervisor_id, course_id * scope.one, module_id * scope.one, -(number = 1), -(status = 'In Progress'), -(status = 'Completed')
    FROM quiz_attempts CROSS JOIN (SELECT 0 AS one UNION ALL SELECT 1) AS scope WHERE user_id = old.user_id
    ON CONFLICT (audience, course_id, module_id) DO UPDATE SET
      begun = begun + excluded.begun, in_progress = in_progress + excluded.in_progress, completed = completed + excluded.completed;
END;
