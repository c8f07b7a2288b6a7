{#-
    Detects credentials in a text: an issuer-specific form, a signed token, a private key, a password hash, or a URL
    that grants access.
-#}
{% macro is_credential(value) -%}
    {%- set forms = linker._credential_forms() -%}
    {#- Must not continue a longer word, unless the form starts with punctuation. -#}
    {{ return(linker.regex_matches(
        value, '(^|[^A-Za-z0-9])(' ~ forms.issued | join('|') ~ ')|' ~ forms.password_hashes | join('|')
    )) }}
{%- endmacro %}

{#- Credential patterns: `issued`, and `password_hashes`. -#}
{% macro _credential_forms() -%}
    {#-
        Stripe, OpenAI and Anthropic, AWS, GitHub, GitLab, Slack, Google, SendGrid, npm, PyPI, Hugging Face, Shopify,
        DigitalOcean, Databricks, HashiCorp Vault, Telegram, Atlassian, Azure; JWTs, PEM private keys, URLs with a password,
        web-hooks, and links with a token.
    -#}
    {#- As part of URLs, which work for every reader. -#}
    {%- set parameters = '([a-z]+[_-])?(token|secret|password|passwd|pwd|apikey|api[_-]key|sig|signature|otp)|auth|key|jwt|sid|session(_?id)?|ticket'
        ~ '|X-Amz-(Signature|Credential)|X-Goog-Signature' -%}
    {%- set issued = [
        '[sr]k[-_](live|test|prod|proj|ant|svcacct)[-_][A-Za-z0-9_-]{8,}',
        'sk-[A-Za-z0-9]{32,}',
        'whsec_[A-Za-z0-9+/]{16,}',
        '(AKIA|ASIA)[A-Z0-9]{16}',
        'gh[pousr]_[A-Za-z0-9]{20,}',
        'github_pat_[A-Za-z0-9_]{20,}',
        'glpat-[A-Za-z0-9_-]{16,}',
        'xox[abeoprs]-[A-Za-z0-9-]{10,}',
        'AIza[A-Za-z0-9_-]{30,}',
        'ya29[.][A-Za-z0-9_-]{20,}',
        'GOCSPX-[A-Za-z0-9_-]{20,}',
        'SG[.][A-Za-z0-9_-]{16,}[.][A-Za-z0-9_-]{16,}',
        'npm_[A-Za-z0-9]{30,}',
        'pypi-[A-Za-z0-9_-]{40,}',
        'hf_[A-Za-z0-9]{30,}',
        'shp(at|ca|pa|ss)_[A-Fa-f0-9]{32}',
        'do[opr]_v1_[a-f0-9]{32,}',
        'dapi[a-f0-9]{32}',
        'hv[sb][.][A-Za-z0-9_-]{20,}',
        '[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}',
        'ATATT3[A-Za-z0-9_=-]{20,}',
        'AccountKey=[A-Za-z0-9+/]{40,}',
        'eyJ[A-Za-z0-9_-]{8,}[.]eyJ[A-Za-z0-9_-]{8,}[.]',
        '-----BEGIN [A-Z ]*PRIVATE KEY',
        '[a-z][a-z0-9+]*://[^][ /:@]+:[^][ /@]+@',
        'hooks[.]slack[.]com/(services|workflows|triggers)/[A-Za-z0-9]',
        '(discord|discordapp)[.]com/api/webhooks/[0-9]',
        '([a-z0-9-]+[.])?webhook[.]office[.]com/|outlook[.]office(365)?[.]com/webhook/',
        '(hooks[.]zapier[.]com/hooks|hooks?[.](eu[0-9][.]|us[0-9][.])?(make|integromat)[.]com)/[A-Za-z0-9]',
        'maker[.]ifttt[.]com/trigger/[^ /]+/(json/)?with/key/',
        'https?://[^ ]*[?&#;](' ~ parameters ~ ')=[^ &#]{8,}',
        'https?://[^ ]*/([a-z_-]*(reset|verif|confirm|activat|magic|invit|recover|unlock)[a-z_-]*)/([a-z_-]+/)?[A-Za-z0-9_.=-]{20,}',
    ] -%}
    {#-
        bcrypt, Argon2, scrypt, PBKDF2 and others of crypt(3); the formats of Django, Werkzeug, Spring, LDAP, MySQL and Postgres.
        https://passlib.readthedocs.io/en/stable/modular_crypt_format.html
    -#}
    {%- set password_hashes = [
        '[$]2[abxy]?[$][0-9]{2}[$][A-Za-z0-9./]{20,}',
        '[$](argon2(id|i|d)|s?crypt|yescrypt|bcrypt-sha256|pbkdf2(-sha[0-9]+)?)[$][A-Za-z0-9=,$./+-]{8,}',
        '[$](1|5|6|7|y|apr1|sha1|md5)[$][A-Za-z0-9./=$]{8,}',
        '[$][PH][$][A-Za-z0-9./]{31}',
        '(pbkdf2|scrypt)(_sha[0-9]+|:[a-z0-9]+)?[:$][0-9]+[:$][A-Za-z0-9:$+/=.-]{8,}',
        '(bcrypt(_sha256)?|argon2|md5|sha1)[$]+[A-Za-z0-9$./=,]{16,}',
        '[{](S?SHA[0-9]*|S?MD5|CRYPT|PBKDF2[A-Z0-9-]*|ARGON2|bcrypt|scrypt|pbkdf2|argon2)[}][A-Za-z0-9+/=$.]{16,}',
        '(^|[^A-Za-z0-9])([*][0-9A-F]{40}($|[^A-Za-z0-9])|SCRAM-SHA-(1|256)[$])',
    ] -%}
    {{ return({'issued': issued, 'password_hashes': password_hashes}) }}
{%- endmacro %}
