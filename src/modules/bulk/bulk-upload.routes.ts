import { createApp, operation } from "../../http/operation.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import { uploadProgress, uploadSpreadsheet, uploadUserList } from "./bulk-upload.queries.ts"
import * as schemas from "./bulk-upload.schemas.ts"
import { sampleFile } from "./bulk-upload-sample.ts"

export const bulkUpload = createApp()

const RULES = [
  "Each row is validated like a new user, and written as a whole or not at all.",
  "mode decides whether existing users are changed; of rows with the same address or external id, the first counts.",
  "rows has the user of each row.",
  "With a blank password, the user receives a link to choose one.",
  "Up to 20 rows, and dry runs, are processed immediately; more are queued, and upload_id returns their progress.",
  "Columns are keys or labels of custom fields, in any case; others are ignored.",
].join(" ")

bulkUpload.openapi(
  operation({
    operationId: "bulkUploadUsers",
    method: "post",
    path: "/api/user/bulkUpload",
    summary: "Create many users",
    description: RULES,
    tag: "Bulk upload",
    access: "staff",
    body: schemas.userListUpload,
    maxBytes: schemas.MAX_BYTES,
    response: schemas.uploadAnswer,
    errors: [409],
  }),
  async (c) => c.json(await uploadUserList(c.var.work, baseUrl(c), c.req.valid("json")), 200),
)

bulkUpload.openapi(
  operation({
    operationId: "bulkUploadUsersFromSpreadsheet",
    method: "post",
    path: "/api/user/userBulkUploadSpreadsheet",
    summary: "Create many users from a spreadsheet",
    description: `The first sheet of an xlsx, or a csv; its first row names the columns. ${RULES}`,
    tag: "Bulk upload",
    access: "staff",
    signedIn: true,
    upload: schemas.spreadsheetUpload,
    maxBytes: schemas.FORM_BYTES,
    response: schemas.uploadAnswer,
    errors: [409],
  }),
  async (c) => c.json(await uploadSpreadsheet(c.var.work, baseUrl(c), c.req.valid("form")), 200),
)

bulkUpload.openapi(
  operation({
    operationId: "getBulkUploadProgress",
    method: "get",
    path: "/api/user/bulkUpload/progress/{uploadId}",
    summary: "Get the progress of a bulk upload",
    description: "Uploads of the caller, for seven days after they completed.",
    tag: "Bulk upload",
    access: "staff",
    extension: true,
    response: schemas.uploadState,
  }),
  async (c) => {
    const { id, ...upload } = await uploadProgress(c.var.work, c.req.valid("param").uploadId)
    return c.json({ upload_id: id, ...upload }, 200)
  },
)

bulkUpload.openapi(
  operation({
    operationId: "getBulkUploadSample",
    method: "get",
    path: "/api/user/getBulkUploadSampleFile",
    summary: "Get the columns of a bulk upload, with a sample and blank records",
    description: "`headers` ends with one column per custom field. Blank records are skipped when they are sent back.",
    tag: "Bulk upload",
    access: "staff",
    response: schemas.uploadSample,
  }),
  async (c) => c.json(await sampleFile(c.var.db), 200),
)
