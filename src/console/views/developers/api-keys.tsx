import { useState } from "preact/hooks"
import type { RecordOf, Schemas } from "../../../client/index.ts"
import { ROLES } from "../../../lib/caller.ts"
import { api } from "../../api/client.ts"
import { may, useMe } from "../../api/me.tsx"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Confirm, Dialog } from "../../ui/dialog.tsx"
import { Choices, Form, Select, TextField, type Values } from "../../ui/form.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import type { Column } from "../../ui/table.tsx"
import { momentOf, Time } from "../../ui/time.tsx"
import "./developers.css"
import { FAMILIES } from "./scopes.ts"
import { Secret } from "./secret-dialog.tsx"

type Key = RecordOf<"/api/api-key/tabularlist">
const CHANGES = ["/api/api-key"]

/** As an input of the type `datetime-local` takes a moment: in the browser's time zone. */
const localTime = (at: Date | undefined) =>
  at ? new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16) : ""

/** What a form says of a key. */
function keyOf(values: Values) {
  const ends = values.optional("expires_at")
  const families = values.all("families") as NonNullable<Schemas["NewApiKey"]["families"]>
  return {
    name: values.text("name"),
    role: values.text("role") as Schemas["NewApiKey"]["role"],
    access: values.text("access") as Schemas["NewApiKey"]["access"],
    families: families.length > 0 ? families : null,
    ends: ends && new Date(ends).toISOString(),
  }
}

/** The fields of a key: what it may do, and until when. */
function KeyFields({ of }: { of?: Key }) {
  const me = useMe()
  return (
    <>
      <TextField name="name" label={t("developers:keys.name")} value={of?.name} required maxLength={100} />
      <Select
        name="role"
        label={t("developers:keys.role")}
        value={of?.role ?? "general"}
        options={ROLES.filter((role) => may(me, role)).map((role) => ({
          value: role,
          label: t(`developers:role.${role}`),
        }))}
      />
      <Select
        name="access"
        label={t("developers:keys.access")}
        value={of?.access ?? "read"}
        options={(["read", "write"] as const).map((access) => ({
          value: access,
          label: t(`developers:keys.access.${access}`),
        }))}
      />
      <div class="many">
        <Choices
          name="families"
          label={t("developers:keys.scopes")}
          hint={t("developers:keys.scopes.hint")}
          options={FAMILIES.map((family) => ({ value: family, label: family }))}
          values={of?.families ?? []}
        />
      </div>
      <TextField
        name="expires_at"
        type="datetime-local"
        label={t("developers:keys.expires")}
        hint={t("developers:keys.expires.hint")}
        value={localTime(momentOf(of?.expires_at))}
      />
    </>
  )
}

/** What is open over the list. */
type Open =
  | { what: "new" }
  | { what: "edit" | "roll" | "revoke"; key: Key }
  | { what: "created"; secret: string }
  | undefined

const columns = (open: (next: Open) => void): Column<Key>[] => [
  { key: "name", title: t("developers:keys.name"), sort: "name", render: ({ name }) => name },
  {
    key: "role",
    title: t("developers:keys.role"),
    sort: "role",
    render: ({ role }) => t(`developers:role.${role}`),
  },
  {
    key: "access",
    title: t("developers:keys.access"),
    sort: "access",
    render: ({ access }) => t(`developers:keys.access.${access}`),
  },
  {
    key: "families",
    title: t("developers:keys.scopes"),
    render: ({ families }) =>
      families ? <span lang="en">{families.join(", ")}</span> : t("developers:keys.scopes.all"),
  },
  {
    key: "expires",
    title: t("developers:keys.expires"),
    render: ({ expires_at }) => <Time value={expires_at} none={t("developers:never")} />,
  },
  {
    key: "used",
    title: t("developers:keys.last-used"),
    render: ({ last_used_at }) => <Time value={last_used_at} none={t("developers:never")} />,
  },
  { key: "by", title: t("developers:keys.created-by"), sort: "created_by", render: ({ created_by }) => created_by },
  {
    key: "acts",
    title: t("developers:actions"),
    render: (key) => (
      <div class="actions">
        {(["edit", "roll", "revoke"] as const).map((what) => (
          <button
            key={what}
            type="button"
            aria-label={t(`developers:keys.${what}.one`, { name: key.name })}
            onClick={() => open({ what, key })}
          >
            {t(`developers:keys.${what}`)}
          </button>
        ))}
      </div>
    ),
  },
]

/** Keys of programs: what each may do, until when, and when it was last used. */
export default function Keys() {
  const [open, setOpen] = useState<Open>()
  // What a dialog has opened in its own stead stays.
  const close = () => setOpen((now) => (now === open ? undefined : now))
  const create = useChange({
    call: (body: Schemas["NewApiKey"]) => api.POST("/api/api-key/create", { body }),
    changes: CHANGES,
  })
  const edit = useChange({
    call: ({ id, body }: { id: number; body: Schemas["ApiKeyChanges"] }) =>
      api.PUT("/api/api-key/{id}", { params: { path: { id } }, body }),
    changes: CHANGES,
  })
  const rotate = useChange({
    call: (id: number) => api.POST("/api/api-key/rotate", { body: { id } }),
    changes: CHANGES,
  })
  const revoke = useChange({
    call: (id: number) => api.POST("/api/api-key/delete", { body: { delete_ids: [id] } }),
    changes: CHANGES,
  })
  return (
    <Page
      title={t("nav.keys")}
      actions={
        <button type="button" class="primary" onClick={() => setOpen({ what: "new" })}>
          {t("developers:keys.new")}
        </button>
      }
    >
      <p class="quiet">{t("developers:keys.about")}</p>
      <Listing
        path="/api/api-key/tabularlist"
        caption={t("nav.keys")}
        columns={columns(setOpen)}
        keyOf={({ id }) => id}
        empty={t("developers:keys.empty")}
      />
      {open?.what === "new" && (
        <Dialog title={t("developers:keys.new")} onClose={close}>
          <Form
            submit={t("create")}
            onSubmit={async (values) => {
              const { ends, ...key } = keyOf(values)
              const { key: secret } = await create.mutateAsync({ ...key, ...(ends && { expires_at: ends }) })
              setOpen({ what: "created", secret })
            }}
          >
            <KeyFields />
          </Form>
        </Dialog>
      )}
      {open?.what === "edit" && (
        <Dialog title={t("developers:keys.edit.one", { name: open.key.name })} onClose={close}>
          <Form
            submit={t("save")}
            onSubmit={async (values) => {
              const { ends, ...key } = keyOf(values)
              await edit.mutateAsync({ id: open.key.id, body: { ...key, expires_at: ends ?? null } })
              close()
            }}
          >
            <KeyFields of={open.key} />
          </Form>
        </Dialog>
      )}
      {open?.what === "roll" && (
        <Confirm
          title={t("developers:keys.roll.one", { name: open.key.name })}
          confirm={t("developers:keys.roll")}
          onConfirm={async () => {
            const { key: secret } = await rotate.mutateAsync(open.key.id)
            setOpen({ what: "created", secret })
          }}
          onClose={close}
        >
          <p>{t("developers:keys.roll.about")}</p>
        </Confirm>
      )}
      {open?.what === "revoke" && (
        <Confirm
          title={t("developers:keys.revoke.one", { name: open.key.name })}
          confirm={t("developers:keys.revoke")}
          onConfirm={() => revoke.mutateAsync(open.key.id)}
          onClose={close}
        >
          <p>{t("developers:keys.revoke.about")}</p>
        </Confirm>
      )}
      {open?.what === "created" && (
        <Secret
          title={t("developers:keys.secret")}
          about={t("developers:keys.secret.about")}
          label={t("developers:keys.key")}
          value={open.secret}
          onClose={close}
        />
      )}
    </Page>
  )
}
