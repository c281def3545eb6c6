import type { ZodObject, z } from "zod"
import type { Database } from "../../db/client.ts"
import type { Access, Caller } from "../../lib/caller.ts"
import type { Sheet } from "../../lib/spreadsheet/sheet.ts"
import { XLSX_TYPE } from "../../lib/spreadsheet/workbook.ts"
import { type Check, type Source, sheetFile } from "./export-files.ts"

/** One kind of export: its four operations, and how its file is made. */
export interface ExportKind {
  name: string
  /** What it holds, to be read in "Export users". */
  title: string
  /** What its file's name begins with; a sheet is called so too. */
  file: string
  /** The ending of its file's name, and its media type. */
  ending: "xlsx" | "zip"
  type: string
  access: Access
  /** Not of the interface: an extension of ours. */
  extension?: boolean
  /** What the initiating operation's description leaves open. */
  about?: string
  /** Initiate; the three others follow it. */
  path: `/api/${string}/export`
  progress: `/api/${string}/export/progress/{exportId}`
  cancel: `/api/${string}/export/cancel/{exportId}`
  download: `/api/${string}/export/download/{exportId}`
  body: ZodObject
  /** The bytes of one job's file. @param filter the body, as text */
  write(source: Source, filter: string): AsyncIterable<Uint8Array>
  /** What is refused when the export is asked for, not when it is written. */
  check?: Check<string>
  /** What else the audit row says, where the export is about somebody. */
  concerns?(filter: string): Record<string, unknown>
}

/** Makes a kind whose functions get the filter as the schema of its body reads it. */
export const exportKind = <B extends ZodObject, Row>({
  check,
  write,
  concerns,
  ...given
}: Omit<ExportKind, "body" | "write" | "check" | "concerns"> & {
  body: B
  write: (source: Source, filter: z.output<B>) => AsyncIterable<Uint8Array>
  check?: Check<z.output<B>, Row>
  concerns?: (filter: z.output<B>) => Record<string, unknown>
}): ExportKind => {
  const read = (filter: string) => given.body.parse(JSON.parse(filter))
  return {
    ...given,
    write: (source, filter) => write(source, read(filter)),
    ...(concerns && { concerns: (filter) => concerns(read(filter)) }),
    ...(check && {
      check: {
        read: (work, filter) => check.read(work, read(filter)),
        refuse: (work, rows, filter) => check.refuse(work, rows as Row[], read(filter)),
      },
    }),
  }
}

/** A kind whose file is a spreadsheet. @param given.open reads what the columns depend on, and opens the rows */
export const spreadsheetExport = <B extends ZodObject, Row>({
  open,
  ...given
}: Omit<Parameters<typeof exportKind<B, Row>>[0], "ending" | "type" | "write"> & {
  open: (db: Database, caller: Caller, filter: z.output<B>) => Promise<Sheet>
}) =>
  exportKind<B, Row>({
    ...given,
    ending: "xlsx",
    type: XLSX_TYPE,
    write: ({ db, caller, pace }, filter) => sheetFile(given.file, () => open(db, caller, filter), pace),
  })
