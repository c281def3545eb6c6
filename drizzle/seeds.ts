/** The initial rows of every academy, as SQL. The first migrations insert them once. */
export const seeds = [
  `INSERT INTO user_sources (id, name, identifier, description) VALUES
  (1, 'API', 'api', 'Created over the API'),
  (2, 'Bulk upload', 'bulk_upload', 'Created by a bulk upload'),
  (3, 'Sample data', 'sample', 'Loaded with the sample academy')`,
  "INSERT INTO sequences (name, value) VALUES ('user_sources', 3)",
]
