INSERT INTO user_sources (id, name, identifier, description) VALUES
  (1, 'API', 'api', 'Created over the API'),
  (2, 'Bulk upload', 'bulk_upload', 'Created by a bulk upload'),
  (3, 'Sample data', 'sample', 'Loaded with the sample academy');
--> statement-breakpoint
INSERT INTO sequences (name, value) VALUES ('user_sources', 3);
