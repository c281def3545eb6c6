// The database and bucket that a backup is read from or restored to.

/** A value of the database: integers, reals and bytes are text, see tables.ts. */
export type Value = string | number | null

/** A file's metadata, as R2 names it. `cacheExpiry`: ISO 8601. */
export interface FileMetadata {
  httpMetadata: Record<string, string>
  customMetadata: Record<string, string>
}

/** A file of the bucket. */
export interface StoredFile extends FileMetadata {
  key: string
  /** Bytes. */
  size: number
  /** Changes with the content: of a file that was put in one piece its MD5, in hexadecimal digits. */
  etag: string
}

/** What a deployment's database and bucket are called. */
export interface Resources {
  database: string
  databaseId: string
  bucket: string
  /** Where the bucket is bound to be; undefined: anywhere. */
  jurisdiction?: string
}

export interface Deployment {
  /** What it is called in messages. */
  name: string
  /** One statement's rows, each value in the order of its columns. @throws NonRetryableError */
  query(sql: string, parameters?: Value[]): Promise<Value[][]>
  /** Statements without parameters, all or none. @throws NonRetryableError */
  script(statements: string[]): Promise<void>
  /** The rows of several statements without parameters, all of one moment. @throws NonRetryableError */
  snapshot(statements: string[]): Promise<Value[][][]>
  /** The bookmark of Time Travel; null where there is none. */
  bookmark(): Promise<string | null>
  /** The bucket's files in the order of their keys' bytes, those after a key where one is given. */
  files(after?: string): AsyncIterable<StoredFile>
  /** A file's content; undefined: there is none under this key. */
  read(key: string): Promise<AsyncIterable<Uint8Array> | undefined>
  /** Puts a file of this machine into the bucket, in one piece. @returns its etag */
  write(key: string, path: string, metadata: FileMetadata): Promise<string>
  remove(key: string): Promise<void>
  close(): Promise<void>
}
