import { KeyRound } from "lucide-preact"
import { useEffect, useState } from "preact/hooks"
import type { RecordOf, Schemas } from "../../../client/index.ts"
import { ROLES } from "../../../lib/caller.ts"
import { api } from "../../api/client.ts"
import { refetchOnConflict } from "../../api/conflict.ts"
import { hasAccess, useMe } from "../../api/me.tsx"
import { useChange, useEditableRecord } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { ConfirmDialog, Dialog } from "../../ui/dialog.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { Choices, Form, Select, TextField, type Values } from "../../ui/form.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import { roleAbout } from "../../ui/role-about.ts"
import type { Column } from "../../ui/table.tsx"
import { Time, toInputTime } from "../../ui/time.tsx"
import { useUrlState } from "../../ui/url-state.ts"
import "./developers.css"
import { SCOPES } from "./scopes.ts"
import { SecretDialog } from "./secret-dialog.tsx"

type Key = RecordOf<"/api/api-key/tabularlist">
const KEY_QUERIES = ["/api/api-key"]
const PERMISSIONS = ["credentials", "scim"] as const

/** An unedited expiry keeps its exact value. */
function toKeyBody(values: Values, existing?: Key) {
  const stored = existing?.expires_at ?? undefined
  const expiresAt = values.optional("expires_at")
  const scopes = values.all("families") as NonNullable<Schemas["NewApiKey"]["families"]>
  return {
    name: values.text("name"),
    role: values.text("role") as Schemas["NewApiKey"]["role"],
    access: values.text("access") as Schemas["NewApiKey"]["access"],
    families: scopes.length > 0 ? scopes : null,
    scopes: values.all("scopes") as NonNullable<Schemas["NewApiKey"]["scopes"]>,
    expiresAt: expiresAt === toInputTime(stored) ? stored : expiresAt && new Date(expiresAt).toISOString(),
  }
}

/** @param isForScim selects what a new key for SCIM needs */
function KeyFields({ existing, isForScim = false }: { existing?: Key; isForScim?: boolean }) {
  const me = useMe()
  const [selectedRole, setRole] = useState<string>()
  const role = selectedRole ?? existing?.role ?? (isForScim ? "admin" : "general")
  return (
    <>
      <TextField name="name" label={t("developers:keys.name")} defaultValue={existing?.name} required maxLength={100} />
      <Select
        name="role"
        label={t("developers:keys.role")}
        hint={roleAbout(role)}
        value={role}
        onChange={setRole}
        options={ROLES.filter((value) => hasAccess(me, value)).map((value) => ({
          value,
          label: t(`role.${value}`),
        }))}
      />
      <Select
        name="access"
        label={t("developers:keys.access")}
        value={existing?.access ?? (isForScim ? "write" : "read")}
        options={(["read", "write"] as const).map((access) => ({
          value: access,
          label: t(`developers:keys.access.${access}`),
        }))}
      />
      <Choices
        name="scopes"
        label={t("developers:keys.permissions")}
        hint={t("developers:keys.permissions.hint")}
        options={PERMISSIONS.map((value) => ({ value, label: t(`developers:keys.permission.${value}`) }))}
        values={existing?.scopes ?? (isForScim ? ["scim"] : [])}
      />
      <div class="many">
        <Choices
          name="families"
          label={t("developers:keys.scopes")}
          hint={t("developers:keys.scopes.hint")}
          options={SCOPES.map((scope) => ({ value: scope, label: scope }))}
          values={existing?.families ?? []}
        />
      </div>
      <TextField
        name="expires_at"
        type="datetime-local"
        label={t("developers:keys.expires")}
        hint={t("developers:keys.expires.hint")}
        defaultValue={toInputTime(existing?.expires_at)}
      />
    </>
  )
}

function EditKey({ id, name, onClose }: { id: number; name: string; onClose: () => void }) {
  const editable = useEditableRecord("/api/api-key/{id}", { params: { path: { id } } })
  const change = useChange({
    call: ({ body, version }: { body: Schemas["ApiKeyChanges"]; version: string }) =>
      api.PUT("/api/api-key/{id}", { params: { path: { id } }, body, headers: { "If-Match": version } }),
    invalidates: KEY_QUERIES,
  })
  return (
    <Dialog title={t("developers:keys.edit.one", { name })} onClose={onClose}>
      <Loaded query={editable}>
        {({ record, version }) => (
          <Form
            submit={t("save")}
            onSubmit={async (values) => {
              const { expiresAt, ...key } = toKeyBody(values, record)
              const body = { ...key, expires_at: expiresAt ?? null }
              await refetchOnConflict(() => change.mutateAsync({ body, version }), editable.refetch)
              onClose()
            }}
          >
            <KeyFields existing={record} />
          </Form>
        )}
      </Loaded>
    </Dialog>
  )
}

/** The open dialog. */
type OpenDialog =
  | { type: "new"; isForScim?: boolean }
  | { type: "edit" | "roll" | "revoke"; key: Key }
  | { type: "created"; secret: string }
  | undefined

const columns = (open: (next: OpenDialog) => void): Column<Key>[] => [
  { key: "name", title: t("developers:keys.name"), sort: "name", render: ({ name }) => name },
  {
    key: "role",
    title: t("developers:keys.role"),
    sort: "role",
    render: ({ role }) => t(`role.${role}`),
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
    render: ({ families, scopes }) => {
      if (scopes.includes("scim")) return t("developers:keys.permission.scim")
      return families ? <span lang="en">{families.join(", ")}</span> : t("developers:keys.scopes.all")
    },
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
  {
    key: "created-by",
    title: t("developers:keys.created-by"),
    sort: "created_by",
    render: ({ created_by }) => created_by,
  },
  {
    key: "actions",
    title: t("developers:actions"),
    render: (key) => (
      <div class="actions">
        {(["edit", "roll", "revoke"] as const).map((type) => (
          <button
            key={type}
            type="button"
            aria-label={t(`developers:keys.${type}.one`, { name: key.name })}
            onClick={() => open({ type, key })}
          >
            {t(`developers:keys.${type}`)}
          </button>
        ))}
      </div>
    ),
  },
]

/** API keys, with their permissions, expiry and last use. */
export default function ApiKeys() {
  const { query, change } = useUrlState()
  const [open, setOpen] = useState<OpenDialog>(query.new === "scim" ? { type: "new", isForScim: true } : undefined)
  useEffect(() => {
    // The dialog opens once, not again when the page is reloaded.
    if (query.new) change({ new: undefined }, { replace: true })
  }, [])
  // Keeps a dialog that replaced this one, such as the one with the new secret.
  const close = () => setOpen((current) => (current === open ? undefined : current))
  const create = useChange({
    call: (body: Schemas["NewApiKey"]) => api.POST("/api/api-key/create", { body }),
    invalidates: KEY_QUERIES,
  })
  const roll = useChange({
    call: (id: number) => api.POST("/api/api-key/rotate", { body: { id } }),
    invalidates: KEY_QUERIES,
  })
  const revoke = useChange({
    call: (id: number) => api.POST("/api/api-key/delete", { body: { delete_ids: [id] } }),
    invalidates: KEY_QUERIES,
  })
  return (
    <Page
      title={t("nav.keys")}
      actions={
        <button type="button" class="primary" onClick={() => setOpen({ type: "new" })}>
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
        empty={{
          icon: KeyRound,
          text: t("developers:keys.empty"),
          action: { label: t("developers:keys.new"), onClick: () => setOpen({ type: "new" }) },
        }}
      />
      {open?.type === "new" && (
        <Dialog title={t("developers:keys.new")} onClose={close}>
          <Form
            submit={t("create")}
            onSubmit={async (values) => {
              const { expiresAt, ...key } = toKeyBody(values)
              const { key: secret } = await create.mutateAsync({ ...key, ...(expiresAt && { expires_at: expiresAt }) })
              setOpen({ type: "created", secret })
            }}
          >
            <KeyFields isForScim={open.isForScim ?? false} />
          </Form>
        </Dialog>
      )}
      {open?.type === "edit" && <EditKey id={open.key.id} name={open.key.name} onClose={close} />}
      {open?.type === "roll" && (
        <ConfirmDialog
          title={t("developers:keys.roll.one", { name: open.key.name })}
          confirm={t("developers:keys.roll")}
          onConfirm={async () => {
            const { key: secret } = await roll.mutateAsync(open.key.id)
            setOpen({ type: "created", secret })
          }}
          onClose={close}
        >
          <p>{t("developers:keys.roll.about")}</p>
        </ConfirmDialog>
      )}
      {open?.type === "revoke" && (
        <ConfirmDialog
          title={t("developers:keys.revoke.one", { name: open.key.name })}
          confirm={t("developers:keys.revoke")}
          onConfirm={() => revoke.mutateAsync(open.key.id)}
          onClose={close}
        >
          <p>{t("developers:keys.revoke.about")}</p>
        </ConfirmDialog>
      )}
      {open?.type === "created" && (
        <SecretDialog
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
