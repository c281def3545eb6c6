import { createdResponse, deletionBody, messageResponse } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { lookupQuery } from "../../lib/input/list-query.ts"
import { FONT_FAMILIES } from "../../lib/pdf/font-catalog.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import { expectedVersion, withEtag } from "../../lib/web/etag.ts"
import { serveFile } from "../../lib/web/files.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { pdfHeaders } from "./certificate-answer.ts"
import { absoluteBgUrl, backgroundFile, storeBackground } from "./certificate-backgrounds.ts"
import { codePositionOf } from "./certificate-code-place.ts"
import { previewTemplate } from "./certificate-preview.queries.ts"
import { templateColumns } from "./certificate-template-columns.ts"
import {
  createTemplate,
  deleteTemplates,
  getTemplate,
  listFieldKeys,
  listTemplates,
  lookUpTemplates,
  quickEditTemplates,
  updateTemplate,
} from "./certificate-templates.queries.ts"
import * as schemas from "./certificate-templates.schemas.ts"

export const certificateTemplates = createApp()

const tag = "Certificate templates"
const DRAWN = [
  "Lengths are pixels of the template, from its top left corner; in the PDF, 96 of them make an inch.",
  "A text is wrapped in its box, and made smaller where the box is too small for it.",
].join(" ")

type Template = Awaited<ReturnType<typeof getTemplate>>

const toField = (field: Template["fields"][number]) => ({
  key: field.key,
  value: field.value,
  font_size: field.font_size,
  font_family: field.font_family,
  font_color: field.font_color,
  top: field.top,
  left: field.left,
  align_center: field.align_center,
  width: field.width,
  height: field.height,
  show_tools: field.show_tools,
})

function toTemplate(template: Template, origin: string) {
  const { show, left, top, size } = codePositionOf(template)
  return {
    name: template.name,
    bg_url: absoluteBgUrl(template.bgUrl, origin),
    height: template.height,
    width: template.width,
    fields: template.fields.map(toField),
    qr_code: { show, left, top, size },
  }
}

certificateTemplates.openapi(
  operation({
    operationId: "lookUpCertificateTemplates",
    method: "get",
    path: "/api/certificate_templates/lookup",
    summary: "List every certificate template by name",
    tag,
    access: "staff",
    query: lookupQuery,
    answer: schemas.templatesLookup,
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
    answer: schemas.templateList,
  }),
  async (c) => c.json(listPage(c, await listTemplates(c.var.db, c.req.valid("query")), templateColumns.toRow), 200),
)

certificateTemplates.openapi(
  operation({
    operationId: "quickEditCertificateTemplates",
    method: "post",
    path: "/api/certificate_templates/quickEdit",
    summary: "Give certificate templates another author",
    description: "Unknown ids are skipped; the message says how many templates were changed.",
    tag,
    access: "staff",
    body: schemas.templatesQuickEdit,
    answer: messageResponse,
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
    summary: "List what a template's fields can print",
    description: "The ten keys, then the custom user fields that are marked for certificates (isFieldOnCertificate).",
    tag,
    access: "general",
    answer: schemas.keysLookup,
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
    answer: schemas.fontsLookup,
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
    summary: "Upload a certificate's background",
    description: "A PNG or a JPEG of up to 5 MB and 8 million pixels, judged by its content.",
    tag,
    access: "staff",
    extension: true,
    upload: schemas.backgroundUpload,
    maxBytes: 6_000_000,
    answer: schemas.uploadedBackground,
  }),
  async (c) => c.json(await storeBackground(c.var.work, c.req.valid("form").file), 200),
)

certificateTemplates.openapi(
  operation({
    operationId: "getCertificateBackground",
    method: "get",
    path: "/api/certificate_template/background/{file}",
    summary: "Read an uploaded background",
    description: "Its random name is known to those who may read the template.",
    tag,
    access: "general",
    extension: true,
    params: schemas.backgroundParams,
    answer: ["image/png", "image/jpeg"],
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
    description: DRAWN,
    tag,
    access: "staff",
    body: schemas.newTemplate,
    answer: createdResponse,
  }),
  async (c) => c.json(await createTemplate(c.var.work, baseUrl(c), c.req.valid("json")), 200),
)

certificateTemplates.openapi(
  operation({
    operationId: "getCertificateTemplate",
    method: "get",
    path: "/api/certificate_template/{id}",
    summary: "Read a certificate template",
    tag,
    access: "staff",
    record: true,
    answer: schemas.template,
  }),
  async (c) => {
    const found = await getTemplate(c.var.db, c.req.valid("param").id)
    return c.json(
      withEtag(c, found, (template) => toTemplate(template, baseUrl(c))),
      200,
    )
  },
)

certificateTemplates.openapi(
  operation({
    operationId: "updateCertificateTemplate",
    method: "put",
    path: "/api/certificate_template/{id}",
    summary: "Change a certificate template",
    description: `${DRAWN} What is not given stays. Certificates that were issued keep the template as it was then.`,
    tag,
    access: "staff",
    body: schemas.templateChanges,
    answer: createdResponse,
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
    summary: "Download a certificate with demo data",
    description: [
      "For the caller alone: their own registrations, unless expired, in the courses that use the template",
      "get their text modules Completed at 100 percent.",
      "Without a session nothing is marked, nor when a browser that is signed in follows a link here.",
      "Below staff, a template is known to those who are registered in such a course.",
    ].join(" "),
    tag,
    access: "general",
    mutates: true,
    linkable: true,
    answer: "application/pdf",
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
    description: "One that a course uses is kept, and so is one with which certificates were issued.",
    tag,
    access: "staff",
    body: deletionBody,
    answer: messageResponse,
    errors: [409],
  }),
  async (c) => c.json(await deleteTemplates(c.var.work, c.req.valid("json").delete_ids), 200),
)
