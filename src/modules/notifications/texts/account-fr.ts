import type { AccountTexts } from "./text-catalog.ts"

const text = (subject: string, ...paragraphs: string[]) => ({ subject, body: paragraphs.join("\n\n") })

const NOT_YOU = "Si vous n’êtes pas à l’origine de ce changement, contactez un administrateur."

export const FRENCH_ACCOUNT: AccountTexts = {
  greeting: "Bonjour {{first_name}},",
  greetingWithoutName: "Bonjour,",
  kinds: {
    welcome: text(
      "Bienvenue à {{academy}}",
      "Un compte a été créé pour vous à {{academy}}. Connectez-vous avec cette adresse e-mail et le mot de passe que " +
        "vous avez reçu.",
      "[Se connecter]({{url}})",
    ),
    email_confirm: text(
      "Confirmez votre adresse e-mail pour {{academy}}",
      "Quelqu’un, probablement vous, a demandé à utiliser cette adresse e-mail pour son compte à {{academy}}.",
      "[Confirmer l’adresse e-mail]({{url}})",
      "Le lien fonctionne une seule fois et expire dans 24 heures. Si vous n’avez rien demandé, ignorez cet e-mail.",
    ),
    email_taken: text(
      "Votre compte à {{academy}}",
      "Quelqu’un, probablement vous, a demandé à utiliser cette adresse e-mail pour un autre compte à {{academy}}. " +
        "Elle appartient déjà à votre compte : rien n’a été modifié.",
    ),
    email_changed: text(
      "Votre adresse e-mail pour {{academy}} a été modifiée",
      "L’adresse e-mail de votre compte à {{academy}} a été modifiée. Vous ne pouvez plus vous connecter avec cette " +
        "adresse.",
      `Si vous êtes à l’origine de ce changement, vous n’avez rien à faire. ${NOT_YOU}`,
    ),
    sign_up_confirm: text(
      "Confirmez votre adresse e-mail pour {{academy}}",
      "Quelqu’un, probablement vous, s’est inscrit à {{academy}} avec cette adresse e-mail.",
      "[Confirmer l’adresse et définir un mot de passe]({{url}})",
      "Le lien fonctionne une seule fois et expire dans 2 jours. Si vous ne vous êtes pas inscrit, ignorez cet " +
        "e-mail : aucun compte ne sera créé.",
    ),
    sign_up_exists: text(
      "Votre compte à {{academy}}",
      "Quelqu’un, probablement vous, s’est inscrit à {{academy}} avec cette adresse e-mail. Un compte associé à " +
        "cette adresse existe déjà : connectez-vous, ou réinitialisez votre mot de passe si vous l’avez oublié.",
      "[Réinitialiser le mot de passe]({{url}})",
    ),
    password_reset: text(
      "Réinitialisez votre mot de passe pour {{academy}}",
      "Quelqu’un, probablement vous, a demandé à réinitialiser le mot de passe de votre compte à {{academy}}.",
      "[Réinitialiser le mot de passe]({{url}})",
      "Le lien fonctionne une seule fois et expire dans 1 heure. La réinitialisation vous déconnecte de tous vos " +
        "appareils. Si vous n’avez rien demandé, ignorez cet e-mail : votre mot de passe ne changera pas.",
    ),
    password_temporary: text(
      "Votre mot de passe temporaire pour {{academy}}",
      "Voici un mot de passe temporaire pour votre compte à {{academy}}. Il fonctionne une seule fois et expire dans " +
        "2 jours. Connectez-vous avec ce mot de passe pour choisir le vôtre.",
      "**{{password}}**",
      "[Se connecter]({{url}})",
      "Votre ancien mot de passe n’est plus valable.",
    ),
    password_changed: text(
      "Votre mot de passe pour {{academy}} a été modifié",
      "Le mot de passe de votre compte à {{academy}} a été modifié. Tous les appareils ont été déconnectés.",
      "[Réinitialiser le mot de passe]({{url}})",
      "Si vous êtes à l’origine de ce changement, vous n’avez rien à faire. Sinon, réinitialisez votre mot de passe " +
        "et contactez un administrateur.",
    ),
    provider_sign_in: text(
      "Connectez-vous à {{academy}}",
      "Quelqu’un, probablement vous, a demandé à réinitialiser le mot de passe de votre compte à {{academy}}. Vous " +
        "n’avez pas besoin de mot de passe : vous vous connectez avec {{provider}}.",
      "[Se connecter avec {{provider}}]({{url}})",
    ),
    provider_linked: text(
      "Vous vous connectez désormais à {{academy}} avec {{provider}}",
      "Votre compte à {{academy}} a été associé à {{provider}}. Son adresse e-mail n’avait pas encore été vérifiée : " +
        "son mot de passe, ses appareils, ses clés API et son authentification à deux facteurs ont été révoqués.",
      NOT_YOU,
    ),
    cart_reminder: text(
      "Vous avez laissé des articles dans votre panier à {{academy}}",
      "Votre panier contient :",
      "{{items}}",
      "Total : {{total}}",
      "Si vous avez déjà acheté ces articles ou n’en voulez plus, ignorez cet e-mail.",
    ),
    webhook_gone: text(
      "Un webhook a été désactivé",
      "Le webhook vers {{host}} a été désactivé.",
      "Le destinataire a répondu 410 (Gone).",
      "Si vous le réactivez, il recevra les événements manqués, jusqu’à 30 jours en arrière.",
    ),
    webhook_failing: text(
      "Un webhook a été désactivé",
      "Le webhook vers {{host}} a été désactivé.",
      "Aucun événement n’a pu être livré pendant 3 jours.",
      "Si vous le réactivez, il recevra les événements manqués, jusqu’à 30 jours en arrière.",
    ),
  },
}
