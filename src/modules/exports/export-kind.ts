import type { ZodObject, z } from "zod"
import type { Database } from "../../db/client.ts"
import type { Access, Caller } from "../../lib/caller.ts"
import type { Sheet } from "../../lib/spreadsheet/sheet.ts"
import { XLSX_TYPE } from "../../lib/spreadsheet/workbook.ts"
import { type ExportCheck, type ExportSource, writeSheetFile } from "./export-files.ts"

/** A kind of export: its four operations, and how its file is written. */
export interface ExportKind {
  name: string
  /** What it exports, as in "Export users". */
  title: string
  /** The prefix of the file name, which is also the name of the sheet. */
  filePrefix: string
  fileExtension: "xlsx" | "zip"
  mediaType: string
  access: Access
  /** Whether the operations are not in the API contract. */
  extension?: boolean
  /** Additional description of the operation that starts the export. */
  description?: string
  /** The path that starts an export. */
  path: `/api/${string}/export`
  progress: `/api/${string}/export/progress/{exportId}`
  cancel: `/api/${string}/export/cancel/{exportId}`
  download: `/api/${string}/export/download/{exportId}`
  body: ZodObject
  /** Yields the bytes of a job's file. @param filter the request body as JSON */
  write(source: ExportSource, filter: string): AsyncIterable<Uint8Array>
  /** Validates the request before the job is created. */
  check?: ExportCheck<string>
  /** Additional details for the audit row. */
  auditDetails?(filter: string): Record<string, unknown>
}

/** Declares a kind whose functions get the parsed request body. */
export const exportKind = <B extends ZodObject, Row>({
  check,
  write,
  auditDetails,
  ...kind
}: Omit<ExportKind, "body" | "write" | "check" | "auditDetails"> & {
  body: B
  write: (source: ExportSource, filter: z.output<B>) => AsyncIterable<Uint8Array>
  check?: ExportCheck<z.output<B>, Row>
  auditDetails?: (filter: z.output<B>) => Record<string, unknown>
}): ExportKind => {
  const read = (filter: string) => kind.body.parse(JSON.parse(filter))
  return {
    ...kind,
    write: (source, filter) => write(source, read(filter)),
    ...(auditDetails && { auditDetails: (filter) => auditDetails(read(filter)) }),
    ...(check && {
      check: {
        read: (work, filter) => check.read(work, read(filter)),
        validate: (work, rows, filter) => check.validate(work, rows as Row[], read(filter)),
      },
    }),
  }
}

/** Declares a kind whose file is a spreadsheet. @param kind.open reads what the columns depend on */
export const spreadsheetExport = <B extends ZodObject, Row>({
  open,
  ...kind
}: Omit<Parameters<typeof exportKind<B, Row>>[0], "fileExtension" | "mediaType" | "write"> & {
  open: (db: Database, caller: Caller, filter: z.output<B>) => Promise<Sheet>
}) =>
  exportKind<B, Row>({
    ...kind,
    fileExtension: "xlsx",
    mediaType: XLSX_TYPE,
    write: ({ db, caller, attempt }, filter) =>
      writeSheetFile(kind.filePrefix, () => open(db, caller, filter), attempt),
  })
