import { createApp, operation, operationId } from "../../http/operation.ts"
import { serveFile } from "../../lib/web/files.ts"
import { FILE_TYPES } from "./export-files.ts"
import type { ExportKind } from "./export-kind.ts"
import { cancelExport, fileGone, getCompletedExport, getExportProgress, initiateExport } from "./exports.queries.ts"
import * as schemas from "./exports.schemas.ts"

/** Registers the four operations of a kind: start, progress, cancel and download. */
export function exportRoutes(kind: ExportKind) {
  const app = createApp()
  const shared = {
    tag: "Exports",
    access: kind.access,
    signedIn: true,
    ...(kind.extension && { extension: true }),
  } as const

  app.openapi(
    operation({
      ...shared,
      operationId: operationId(`export ${kind.name}`),
      method: "post",
      path: kind.path,
      summary: kind.fileExtensions.includes("xlsx") ? `Export ${kind.title} to a spreadsheet` : `Export ${kind.title}`,
      description: [
        ...(kind.description ? [kind.description] : []),
        "Starts the export in the background: check its progress, then download the file.",
        "While the export is running, the same request returns the same export_id.",
      ].join(" "),
      body: kind.body,
      bodyOptional: true,
      response: schemas.exportInitiated,
    }),
    async (c) => c.json(await initiateExport(c.var.work, kind, c.req.valid("json")), 200),
  )

  app.openapi(
    operation({
      ...shared,
      operationId: operationId(`get ${kind.name} export progress`),
      method: "get",
      path: kind.progress,
      summary: `Get the progress of an export of ${kind.title}`,
      params: schemas.exportParams,
      response: schemas.exportState,
      errors: [410],
    }),
    async (c) => {
      const { exportId } = c.req.valid("param")
      return c.json(toProgress(kind, exportId, await getExportProgress(c.var.work, kind, exportId)), 200)
    },
  )

  app.openapi(
    operation({
      ...shared,
      operationId: operationId(`cancel ${kind.name} export`),
      method: "post",
      path: kind.cancel,
      summary: `Cancel an export of ${kind.title}`,
      params: schemas.exportParams,
      response: schemas.exportCancelled,
      errors: [409],
    }),
    async (c) => c.json(await cancelExport(c.var.work, kind, c.req.valid("param").exportId), 200),
  )

  app.openapi(
    operation({
      ...shared,
      operationId: operationId(`download ${kind.name} export`),
      method: "get",
      path: kind.download,
      summary: `Download a completed export of ${kind.title}`,
      description: "Supports Range, If-Range and If-None-Match.",
      params: schemas.exportParams,
      response: kind.fileExtensions.map((extension) => FILE_TYPES[extension].replace(/;.*/, "")),
      errors: [409, 410],
    }),
    async (c) => {
      const file = await getCompletedExport(c.var.db, c.var.caller, kind, c.req.valid("param").exportId)
      const extension = kind.fileExtensions.find((name) => file.filename.endsWith(`.${name}`)) ?? kind.fileExtensions[0]
      return serveFile(c, { ...file, type: FILE_TYPES[extension], missing: fileGone() })
    },
  )
  return app
}

type Job = Awaited<ReturnType<typeof getExportProgress>>

function toProgress(kind: ExportKind, exportId: string, job: Job) {
  const completed = job.status === "completed"
  return {
    status: job.status,
    progress: job.progress,
    message: job.message,
    filename: completed ? job.filename : null,
    download_url: completed ? kind.download.replace("{exportId}", exportId) : null,
  }
}
