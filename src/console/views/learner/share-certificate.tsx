import { Share2 } from "lucide-preact"
import { useMe } from "../../api/me.tsx"
import { t } from "../../messages/messages.ts"
import { CopyField } from "../../ui/copy-field.tsx"
import { parseDate } from "../../ui/time.tsx"

interface ShareCertificateProps {
  courseName: string
  publicUrl: string
  issueDate: string
}

/** The LinkedIn form that adds a certificate to the profile of the person who opens it. */
function linkedInUrl({ courseName, publicUrl, issueDate }: ShareCertificateProps, academy: string) {
  const issued = parseDate(issueDate)
  const parameters = new URLSearchParams({
    startTask: "CERTIFICATION_NAME",
    name: courseName,
    organizationName: academy,
    certUrl: publicUrl,
    certId: publicUrl.slice(publicUrl.lastIndexOf("/") + 1),
    ...(issued && { issueYear: String(issued.getFullYear()), issueMonth: String(issued.getMonth() + 1) }),
  })
  return `https://www.linkedin.com/profile/add?${parameters}`
}

/** The ways to share the public page of a certificate. */
export function ShareCertificate(certificate: ShareCertificateProps) {
  const { academy } = useMe()
  const { courseName, publicUrl } = certificate
  const share = () => {
    const title = t("learner:certificate.of", { course: courseName })
    // A rejection means that the user closed the dialog of the device.
    navigator.share({ title, url: publicUrl }).catch(() => undefined)
  }
  return (
    <CopyField
      name="share"
      label={t("learner:certificate.share")}
      hint={t("learner:certificate.share-hint")}
      value={publicUrl}
    >
      {"share" in navigator && (
        <button type="button" class="with-icon" onClick={share}>
          <Share2 size={18} aria-hidden /> {t("learner:certificate.share-with")}
        </button>
      )}
      <a class="button" href={linkedInUrl(certificate, academy)} target="_blank" rel="noreferrer">
        {t("learner:certificate.linkedin")}
      </a>
    </CopyField>
  )
}
