import { createdResponse, deletionBody, messageResponse } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { lookupQuery } from "../../lib/input/list-query.ts"
import { FONT_FAMILIES } from "../../lib/pdf/font-catalog.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import { expectedVersion, withEtag } from "../../lib/web/etag.ts"
import { serveFile } from "../../lib/web/files.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { pdfHeaders } from "./certificate-answer.ts"
import { backgroundFile, storeBackground } from "./certificate-backgrounds.ts"
import { previewTemplate } from "./certificate-preview.queries.ts"
import { templateColumns, templateDetails } from "./certificate-template-fields.ts"
import { listFieldKeys } from "./certificate-template-keys.queries.ts"
import {
  createTemplate,
  deleteTemplates,
  getTemplate,
  listTemplates,
  lookUpTemplates,
  quickEditTemplates,
  updateTemplate,
} from "./certificate-templates.queries.ts"
import * as schemas from "./certificate-templates.schemas.ts"

export const certificateTemplates = createApp()

const tag = "Certificate templates"
const LAYOUT_DESCRIPTION = [
  "Positions and sizes are pixels from the top left corner of the template, with 96 pixels per inch in the PDF.",
  "Text is wrapped in its box, and shrinks if it does not fit.",
].join(" ")

certificateTemplates.openapi(
  operation({
    operationId: "lookUpCertificateTemplates",
    method: "get",
    path: "/api/certificate_templates/lookup",
    summary: "Look up certificate templates by name",
    tag,
    access: "staff",
    query: lookupQuery,
    response: schemas.templatesLookup,
  }),
  async (c) => {
    const found = await lookUpTemplates(c.var.db, c.req.valid("query"))
    return c.json(listPage(c, found, ({ id, name }) => ({ id, name })).records, 200)
  },
)

certificateTemplates.openapi(
  operation({
    operationId: "listCertificateTemplates",
    method: "get",
    path: "/api/certificate_templates/tabularlist",
    summary: "List certificate templates",
    tag,
    access: "staff",
    query: schemas.templateListQuery,
    response: schemas.templateList,
  }),
  async (c) => c.json(listPage(c, await listTemplates(c.var.db, c.req.valid("query")), templateColumns.toRow), 200),
)

certificateTemplates.openapi(
  operation({
    operationId: "quickEditCertificateTemplates",
    method: "post",
    path: "/api/certificate_templates/quickEdit",
    summary: "Change the author of certificate templates",
    description: "Unknown ids are skipped; the message says how many templates were changed.",
    tag,
    access: "staff",
    body: schemas.templatesQuickEdit,
    response: messageResponse,
    errors: [409],
  }),
  async (c) => {
    const { template_ids: ids, author_id: authorId } = c.req.valid("json")
    return c.json(await quickEditTemplates(c.var.work, ids, authorId), 200)
  },
)

certificateTemplates.openapi(
  operation({
    operationId: "lookUpCertificateKeys",
    method: "get",
    path: "/api/certificate_template/keysLookup",
    summary: "List the keys of template fields",
    description: "Returns the ten built-in keys, then the custom user fields with isFieldOnCertificate.",
    tag,
    access: "general",
    response: schemas.keysLookup,
  }),
  async (c) => c.json(await listFieldKeys(c.var.db), 200),
)

certificateTemplates.openapi(
  operation({
    operationId: "lookUpCertificateFonts",
    method: "get",
    path: "/api/certificate_template/fontFamilyLookup",
    summary: "List the fonts of certificates",
    tag,
    access: "general",
    response: schemas.fontsLookup,
  }),
  (c) =>
    c.json(
      FONT_FAMILIES.map((font) => ({
        db_value: font,
        display_value: font,
        ...(font === "Arial" && { is_selected: true }),
      })),
      200,
    ),
)

certificateTemplates.openapi(
  operation({
    operationId: "uploadCertificateBackground",
    method: "post",
    path: "/api/certificate_template/upload",
    summary: "Upload a certificate background",
    description: "A PNG or JPEG of up to 5 MB and 8 million pixels, detected from the content.",
    tag,
    access: "staff",
    extension: true,
    upload: schemas.backgroundUpload,
    maxBytes: 6_000_000,
    response: schemas.uploadedBackground,
  }),
  async (c) => c.json(await storeBackground(c.var.work, c.req.valid("form").file), 200),
)

certificateTemplates.openapi(
  operation({
    operationId: "getCertificateBackground",
    method: "get",
    path: "/api/certificate_template/background/{file}",
    summary: "Get an uploaded background",
    description: "The random file name is in the bg_url of the template.",
    tag,
    access: "general",
    extension: true,
    params: schemas.backgroundParams,
    response: ["image/png", "image/jpeg"],
    errors: [410],
  }),
  async (c) => serveFile(c, { ...backgroundFile(c.req.valid("param").file), inline: true }),
)

certificateTemplates.openapi(
  operation({
    operationId: "createCertificateTemplate",
    method: "post",
    path: "/api/certificate_template",
    summary: "Create a certificate template",
    description: LAYOUT_DESCRIPTION,
    tag,
    access: "staff",
    body: schemas.newTemplate,
    response: createdResponse,
  }),
  async (c) => c.json(await createTemplate(c.var.work, baseUrl(c), c.req.valid("json")), 200),
)

certificateTemplates.openapi(
  operation({
    operationId: "getCertificateTemplate",
    method: "get",
    path: "/api/certificate_template/{id}",
    summary: "Get a certificate template",
    tag,
    access: "staff",
    record: true,
    response: schemas.template,
  }),
  async (c) => {
    const found = await getTemplate(c.var.db, c.req.valid("param").id)
    return c.json(
      withEtag(c, found, (row) => templateDetails.toRow(row, { base: baseUrl(c) })),
      200,
    )
  },
)

certificateTemplates.openapi(
  operation({
    operationId: "updateCertificateTemplate",
    method: "put",
    path: "/api/certificate_template/{id}",
    summary: "Update a certificate template",
    description: `${LAYOUT_DESCRIPTION} Omitted fields keep their values. Issued certificates keep their version.`,
    tag,
    access: "staff",
    body: schemas.templateChanges,
    response: createdResponse,
    errors: [409, 412],
  }),
  async (c) =>
    c.json(
      await updateTemplate(c.var.work, baseUrl(c), c.req.valid("param").id, c.req.valid("json"), expectedVersion(c)),
      200,
    ),
)

certificateTemplates.openapi(
  operation({
    operationId: "previewCertificateTemplate",
    method: "get",
    path: "/api/certificate_template/preview/{id}",
    summary: "Preview a certificate with sample data",
    description: [
      "Completes the text modules of the caller's own active enrollments in the courses that use the template.",
      "Nothing changes without a session, or when a signed-in browser follows a link.",
      "Below staff, callers see the templates of courses in which they are enrolled.",
    ].join(" "),
    tag,
    access: "general",
    mutates: true,
    linkable: true,
    response: "application/pdf",
  }),
  async (c) => {
    const drawn = await previewTemplate(c.var.work, baseUrl(c), c.req.valid("param").id)
    return c.body(drawn.bytes, 200, pdfHeaders(drawn))
  },
)

certificateTemplates.openapi(
  operation({
    operationId: "deleteCertificateTemplates",
    method: "post",
    path: "/api/certificate_template/delete",
    summary: "Delete certificate templates",
    description: "Templates that courses or issued certificates use are not deleted.",
    tag,
    access: "staff",
    body: deletionBody,
    response: messageResponse,
    errors: [409],
  }),
  async (c) => c.json(await deleteTemplates(c.var.work, c.req.valid("json").delete_ids), 200),
)
