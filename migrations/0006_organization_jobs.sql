DROP TRIGGER announcements_deleted;
--> statement-breakpoint
CREATE TRIGGER announcements_deleted AFTER DELETE ON announcements BEGIN
  DELETE FROM announcements_search WHERE rowid = old.id;
  INSERT INTO background_jobs (id, kind, params, total, due_at, created_at)
  SELECT 'announcement-' || old.id, 'announcement.withdraw', json_object('ids', json_array(old.id)),
    (SELECT count(*) FROM outbox WHERE dedupe >= 'announcement:' || old.id || ':' AND dedupe < 'announcement:' || old.id || ';' AND +status = 'queued'), 0, unixepoch('subsec') * 1000
  WHERE EXISTS (SELECT 1 FROM outbox WHERE dedupe >= 'announcement:' || old.id || ':' AND dedupe < 'announcement:' || old.id || ';' AND +status = 'queued' LIMIT 1 OFFSET 1000) AND NOT EXISTS (
    SELECT 1 FROM background_jobs
    WHERE due_at IS NOT NULL AND kind = 'announcement.withdraw'
      AND old.id IN (SELECT value FROM json_each(params, '$.ids')));
  DELETE FROM outbox WHERE dedupe >= 'announcement:' || old.id || ':' AND dedupe < 'announcement:' || old.id || ';' AND +status = 'queued' AND NOT EXISTS (
          SELECT 1 FROM background_jobs
          WHERE due_at IS NOT NULL AND kind = 'announcement.withdraw'
            AND old.id IN (SELECT value FROM json_each(params, '$.ids')));
  UPDATE counters SET value = value - 1 WHERE key IN ('announcements', 'announcements:' || old.standing);
END;
