import { Award } from "lucide-preact"
import { useState } from "preact/hooks"
import type { RecordOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Combobox } from "../../ui/combobox.tsx"
import { ConfirmDialog, Dialog } from "../../ui/dialog.tsx"
import { ErrorMessage } from "../../ui/error-message.tsx"
import { Form, Select, TextField } from "../../ui/form.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import type { Column } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"
import { useNavigate } from "../../ui/url-state.ts"
import { DesignPicker } from "./design-picker.tsx"
import { createTemplate, type Design } from "./designs.ts"

type Row = RecordOf<"/api/certificate_templates/tabularlist">

/** Page sizes in pixels at 96 per inch. */
const PAGE_SIZES = {
  "a4-landscape": { width: 1123, height: 794 },
  "a4-portrait": { width: 794, height: 1123 },
  "letter-landscape": { width: 1056, height: 816 },
  "letter-portrait": { width: 816, height: 1056 },
} as const
const isPageSize = (name: string): name is keyof typeof PAGE_SIZES => name in PAGE_SIZES

const columns = (): Column<Row>[] => [
  {
    key: "name",
    title: t("certificates:name"),
    sort: "name",
    render: ({ id, name }) => <a href={`/console/certificates/${id}`}>{name}</a>,
  },
  { key: "author", title: t("certificates:author"), render: ({ author }) => author || t("none") },
  { key: "courses", title: t("certificates:courses"), render: ({ courses }) => courses || t("none") },
  {
    key: "created",
    title: t("certificates:created"),
    sort: "created_at",
    render: ({ created_at }) => <Time value={created_at} />,
  },
]

function NewTemplate({ onClose }: { onClose: () => void }) {
  const go = useNavigate()
  const create = useChange({
    call: (body: { name: string; width: number; height: number }) => api.POST("/api/certificate_template", { body }),
    invalidates: ["/api/certificate_templates"],
  })
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const start = async (design: Design) => {
    setBusy(true)
    setError(undefined)
    try {
      go(`/certificates/${await createTemplate(design)}`)
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }
  return (
    <Dialog title={t("certificates:template.new")} onClose={onClose}>
      <p class="quiet">{t("certificates:designs.about")}</p>
      <ErrorMessage error={error} />
      <DesignPicker label={t("certificates:designs")} isBusy={isBusy} onPick={start} />
      <h3>{t("certificates:design.blank")}</h3>
      <Form
        submit={t("create")}
        onSubmit={async (values) => {
          const sheet = values.text("sheet")
          const { width, height } = PAGE_SIZES[isPageSize(sheet) ? sheet : "a4-landscape"]
          const { id } = await create.mutateAsync({ name: values.text("name"), width, height })
          go(`/certificates/${id}`)
        }}
      >
        <TextField name="name" label={t("certificates:name")} required maxLength={100} />
        <Select
          name="sheet"
          label={t("certificates:sheet")}
          hint={t("certificates:sheet.hint")}
          options={Object.keys(PAGE_SIZES).map((name) => ({ value: name, label: t(`certificates:sheet.${name}`) }))}
        />
      </Form>
    </Dialog>
  )
}

interface ChangeOwnerDialogProps {
  rows: readonly Row[]
  onDone: () => void
  onClose: () => void
}

/** Changes the author of the selected templates. */
function ChangeOwnerDialog({ rows, onDone, onClose }: ChangeOwnerDialogProps) {
  const edit = useChange({
    call: (body: { template_ids: number[]; author_id: number }) =>
      api.POST("/api/certificate_templates/quickEdit", { body }),
    invalidates: ["/api/certificate_templates"],
  })
  return (
    <Dialog title={t("certificates:owner.change")} onClose={onClose}>
      <Form
        submit={t("save")}
        onSubmit={async (values) => {
          const author_id = values.number("author_id") ?? 0
          await edit.mutateAsync({ template_ids: rows.map(({ id }) => id), author_id })
          onDone()
        }}
      >
        <Combobox
          name="author_id"
          label={t("certificates:author")}
          path="/api/users/tabularlist"
          searchBy="nameOrEmail"
          toChoice={({ id, first_name, last_name, email }) => ({ id, name: `${first_name} ${last_name} (${email})` })}
          required
        />
      </Form>
    </Dialog>
  )
}

export default function CertificateTemplates() {
  const [open, setOpen] = useState<"new" | "owner" | "delete">()
  const close = () => setOpen(undefined)
  const remove = useChange({
    call: (delete_ids: number[]) => api.POST("/api/certificate_template/delete", { body: { delete_ids } }),
    invalidates: ["/api/certificate_templates"],
  })
  return (
    <Page
      title={t("certificates:templates")}
      actions={
        <>
          <a class="button" href="/console/certificates/issued">
            {t("certificates:issued")}
          </a>
          <button type="button" class="primary" onClick={() => setOpen("new")}>
            {t("certificates:template.new")}
          </button>
        </>
      }
    >
      <Listing
        path="/api/certificate_templates/tabularlist"
        caption={t("certificates:templates")}
        columns={columns()}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        empty={{
          icon: Award,
          text: t("certificates:templates.empty"),
          action: { label: t("certificates:template.new"), onClick: () => setOpen("new") },
        }}
        filters={[{ name: "templateName", label: t("certificates:name") }]}
        actions={(rows, clear) => {
          const done = () => {
            clear()
            close()
          }
          return (
            <>
              <button type="button" onClick={() => setOpen("owner")}>
                {t("certificates:owner.change")}
              </button>
              <button type="button" class="danger" onClick={() => setOpen("delete")}>
                {t("delete")}
              </button>
              {open === "owner" && <ChangeOwnerDialog rows={rows} onDone={done} onClose={close} />}
              {open === "delete" && (
                <ConfirmDialog
                  title={t("certificates:template.delete")}
                  confirm={t("delete")}
                  onConfirm={async () => {
                    await remove.mutateAsync(rows.map(({ id }) => id))
                    clear()
                  }}
                  onClose={close}
                >
                  <p>{t("certificates:template.delete.text", { names: rows.map(({ name }) => name).join(", ") })}</p>
                  <p>{t("irreversible")}</p>
                </ConfirmDialog>
              )}
            </>
          )
        }}
      />
      {open === "new" && <NewTemplate onClose={close} />}
    </Page>
  )
}
