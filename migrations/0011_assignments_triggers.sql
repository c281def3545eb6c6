-- Kept counts of submissions, by audience: see submission_tallies in drizzle/submissions.ts.
CREATE TRIGGER submissions_inserted AFTER INSERT ON submissions BEGIN
  INSERT INTO submission_tallies (audience, course_id, submitted, accepted, returned, closed)
    SELECT of.audience, new.course_id * scope.one, (new.status = 'Submitted'), (new.status = 'Accepted'), (new.status = 'Returned'), (new.status = 'Closed')
    FROM (SELECT 'all' AS audience UNION ALL SELECT audience FROM audiences WHERE user_id = new.user_id) AS of
      CROSS JOIN (SELECT 0 AS one UNION ALL SELECT 1) AS scope WHERE true
    ON CONFLICT (audience, course_id) DO UPDATE SET
      submitted = submitted + excluded.submitted, accepted = accepted + excluded.accepted,
      returned = returned + excluded.returned, closed = closed + excluded.closed;
END;
--> statement-breakpoint

CREATE TRIGGER submissions_moved AFTER UPDATE OF status ON submissions WHEN old.status <> new.status BEGIN
  UPDATE submission_tallies SET
    submitted = submitted + (new.status = 'Submitted') - (old.status = 'Submitted'),
    accepted = accepted + (new.status = 'Accepted') - (old.status = 'Accepted'),
    returned = returned + (new.status = 'Returned') - (old.status = 'Returned'),
    closed = closed + (new.status = 'Closed') - (old.status = 'Closed')
    WHERE audience IN (SELECT 'all' UNION ALL SELECT audience FROM audiences WHERE user_id = old.user_id)
      AND course_id IN (0, old.course_id);
END;
--> statement-breakpoint

CREATE TRIGGER submissions_deleted AFTER DELETE ON submissions BEGIN
  UPDATE submission_tallies SET
    submitted = submitted - (old.status = 'Submitted'), accepted = accepted - (old.status = 'Accepted'), returned = returned - (old.status = 'Returned'), closed = closed - (old.status = 'Closed')
    WHERE audience IN (SELECT 'all' UNION ALL SELECT audience FROM audiences WHERE user_id = old.user_id)
      AND course_id IN (0, old.course_id);
END;
--> statement-breakpoint

CREATE TRIGGER group_members_submissions_tallied AFTER INSERT ON group_members BEGIN
  INSERT INTO submission_tallies (audience, course_id, submitted, accepted, returned, closed)
    SELECT 'group:' || new.group_id, course_id * scope.one, (status = 'Submitted'), (status = 'Accepted'), (status = 'Returned'), (status = 'Closed')
    FROM submissions CROSS JOIN (SELECT 0 AS one UNION ALL SELECT 1) AS scope WHERE user_id = new.user_id
    ON CONFLICT (audience, course_id) DO UPDATE SET
      submitted = submitted + excluded.submitted, accepted = accepted + excluded.accepted,
      returned = returned + excluded.returned, closed = closed + excluded.closed;
END;
--> statement-breakpoint

CREATE TRIGGER group_members_submissions_untallied AFTER DELETE ON group_members BEGIN
  INSERT INTO submission_tallies (audience, course_id, submitted, accepted, returned, closed)
    SELECT 'group:' || old.group_id, course_id * scope.one, -(status = 'Submitted'), -(status = 'Accepted'), -(status = 'Returned'), -(status = 'Closed')
    FROM submissions CROSS JOIN (SELECT 0 AS one UNION ALL SELECT 1) AS scope WHERE user_id = old.user_id
    ON CONFLICT (audience, course_id) DO UPDATE SET
      submitted = submitted + excluded.submitted, accepted = accepted + excluded.accepted,
      returned = returned + excluded.returned, closed = closed + excluded.closed;
END;
--> statement-breakpoint

CREATE TRIGGER portal_members_submissions_tallied AFTER INSERT ON portal_members BEGIN
  INSERT INTO submission_tallies (audience, course_id, submitted, accepted, returned, closed)
    SELECT 'portal:' || new.portal_id, course_id * scope.one, (status = 'Submitted'), (status = 'Accepted'), (status = 'Returned'), (status = 'Closed')
    FROM submissions CROSS JOIN (SELECT 0 AS one UNION ALL SELECT 1) AS scope WHERE user_id = new.user_id
    ON CONFLICT (audience, course_id) DO UPDATE SET
      submitted = submitted + excluded.submitted, accepted = accepted + excluded.accepted,
      returned = returned + excluded.returned, closed = closed + excluded.closed;
END;
--> statement-breakpoint

CREATE TRIGGER portal_members_submissions_untallied AFTER DELETE ON portal_members BEGIN
  INSERT INTO submission_tallies (audience, course_id, submitted, accepted, returned, closed)
    SELECT 'portal:' || old.portal_id, course_id * scope.one, -(status = 'Submitted'), -(status = 'Accepted'), -(status = 'Returned'), -(status = 'Closed')
    FROM submissions CROSS JOIN (SELECT 0 AS one UNION ALL SELECT 1) AS scope WHERE user_id = old.user_id
    ON CONFLICT (audience, course_id) DO UPDATE SET
      submitted = submitted + excluded.submitted, accepted = accepted + excluded.accepted,
      returned = returned + excluded.returned, closed = closed + excluded.closed;
END;
--> statement-breakpoint

CREATE TRIGGER reach_submissions_tallied AFTER INSERT ON reach BEGIN
  INSERT INTO submission_tallies (audience, course_id, submitted, accepted, returned, closed)
    SELECT 'reach:' || new.supervisor_id, course_id * scope.one, (status = 'Submitted'), (status = 'Accepted'), (status = 'Returned'), (status = 'Closed')
    FROM submissions CROSS JOIN (SELECT 0 AS one UNION ALL SELECT 1) AS scope WHERE user_id = new.user_id
    ON CONFLICT (audience, course_id) DO UPDATE SET
      submitted = submitted + excluded.submitted, accepted = accepted + excluded.accepted,
      returned = returned + excluded.returned, closed = closed + excluded.closed;
END;
--> statement-breakpoint

CREATE TRIGGER reach_submissions_untallied AFTER DELETE ON reach BEGIN
  INSERT INTO submission_tallies (audience, course_id, submitted, accepted, returned, closed)
    SELECT 'reach:' || old.supervisor_id, course_id * scope.one, -(status = 'Submitted'), -(status = 'Accepted'), -(status = 'Returned'), -(status = 'Closed')
    FROM submissions CROSS JOIN (SELECT 0 AS one UNION ALL SELECT 1) AS scope WHERE user_id = old.user_id
    ON CONFLICT (audience, course_id) DO UPDATE SET
      submitted = submitted + excluded.submitted, accepted = accepted + excluded.accepted,
      returned = returned + excluded.returned, closed = closed + excluded.closed;
END;
--> statement-breakpoint

-- What awaits an evaluation no longer does once its module is taken back or Completed in another way.
CREATE TRIGGER submissions_closed AFTER UPDATE OF status ON module_statuses WHEN old.status = 'Submitted' AND new.status <> 'Submitted' BEGIN
  UPDATE submissions SET status = 'Closed' WHERE status_row_id = new.id AND status = 'Submitted';
END;
--> statement-breakpoint

-- A file stays as long as a submission refers to it; after that the sweep removes it.
CREATE TRIGGER submission_files_inserted AFTER INSERT ON submission_files BEGIN
  UPDATE assignment_uploads SET state = 'used' WHERE id = new.upload_id;
END;
--> statement-breakpoint

CREATE TRIGGER submission_files_deleted AFTER DELETE ON submission_files
WHEN NOT EXISTS (SELECT 1 FROM submission_files WHERE upload_id = old.upload_id) BEGIN
  UPDATE assignment_uploads SET state = 'new' WHERE id = old.upload_id;
END;
