import type { z } from "@hono/zod-openapi"
import type { ZodObject } from "zod"
import type { Database } from "../../db/client.ts"
import type { Bindings } from "../../env.ts"
import type { Access, Caller } from "../../lib/caller.ts"
import { choice, optional } from "../../lib/input/input.ts"
import type { Sheet } from "../../lib/spreadsheet/sheet.ts"
import {
  type ExportCheck,
  type ExportSource,
  type FileExtension,
  SHEET_FORMATS,
  type SheetFormat,
  writeSheetFile,
} from "./export-files.ts"

/** A kind of export: its four operations, and how its file is written. */
export interface ExportKind {
  name: string
  /** What it exports, as in "Export users". */
  title: string
  /** The prefix of the file name, which is also the name of the sheet. */
  filePrefix: string
  /** The extensions of its files, the default first. */
  fileExtensions: readonly [FileExtension, ...FileExtension[]]
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
  /** It must accept what it returns: a job stores the parsed request, and parses it again. */
  body: ZodObject
  /** Yields the bytes of a job's file. @param filter the request body as JSON */
  write(source: ExportSource, filter: string): AsyncIterable<Uint8Array>
  /** Validates the request before the job is created. */
  check?: ExportCheck<string>
  /** Additional details for the audit row. */
  auditDetails?(filter: string): Record<string, unknown>
}

/** Declares a kind whose functions get the parsed request body. */
export const exportKind = <B extends ZodObject, Results extends unknown[][]>({
  check,
  write,
  auditDetails,
  ...kind
}: Omit<ExportKind, "body" | "write" | "check" | "auditDetails"> & {
  body: B
  write: (source: ExportSource, filter: z.output<B>) => AsyncIterable<Uint8Array>
  check?: ExportCheck<z.output<B>, Results>
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
        validate: (work, results, filter) => check.validate(work, results as Results, read(filter)),
      },
    }),
  }
}

/** The default format is absent, so that both ways to ask for it are the same export. */
const format = (names: readonly [FileExtension, ...FileExtension[]]) =>
  optional(choice(names))
    .transform((name) => (name === "xlsx" ? undefined : name))
    .openapi({
      type: "string",
      enum: [...names],
      default: "xlsx",
      description: `The format of the file: a spreadsheet, CSV (RFC 4180), ${
        names.includes("pdf") ? "a JSON object in each line, or a PDF" : "or a JSON object in each line"
      }`,
    })

/** Declares a kind whose file is a spreadsheet. @param kind.open reads what the columns depend on */
export const spreadsheetExport = <B extends ZodObject, Results extends unknown[][]>({
  open,
  writePdf,
  body,
  ...kind
}: Omit<Parameters<typeof exportKind<B, Results>>[0], "fileExtensions" | "write"> & {
  open: (db: Database, caller: Caller, filter: z.output<B>, env: Bindings) => Promise<Sheet>
  /** Also offers a PDF. */
  writePdf?: (source: ExportSource, filter: z.output<B>) => AsyncIterable<Uint8Array>
}) => {
  const formats = writePdf ? ([...SHEET_FORMATS, "pdf"] as const) : SHEET_FORMATS
  return exportKind<B, Results>({
    ...kind,
    // The schema of the kind, with one more optional field.
    body: body.safeExtend({ format: format(formats) }) as unknown as B,
    fileExtensions: formats,
    write: (source, filter) => {
      const { env, db, caller, attempt } = source
      const { format = "xlsx" } = filter as { format?: SheetFormat | "pdf" }
      if (format === "pdf") {
        if (!writePdf) throw new Error("This kind has no PDF.")
        return writePdf(source, filter)
      }
      return writeSheetFile({ name: kind.filePrefix, format }, () => open(db, caller, filter, env), attempt)
    },
  })
}

/** The extension of a request's file. @param filter the request body as JSON */
export function fileExtension({ fileExtensions }: ExportKind, filter: string): FileExtension {
  const { format } = JSON.parse(filter) as { format?: FileExtension }
  return fileExtensions.find((extension) => extension === format) ?? fileExtensions[0]
}
