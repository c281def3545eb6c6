/** The rows that every academy begins with, as SQL: written once, by the first migrations. */
export const seeds = [
  `INSERT INTO user_sources (id, name, identifier, description) VALUES
  (1, 'API', 'api', 'Created over the API'),
  (2, 'Bulk upload', 'bulk_upload', 'Created by a bulk upload'),
  (3, 'Sample data', 'sample', 'Loaded with the sample academy')`,
  "INSERT INTO sequences (name, value) VALUES ('user_sources', 3)",
]
