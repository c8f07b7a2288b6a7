{#- Whether a text is or contains a credential: a form that one issuer alone gives, a signed token, a private key. -#}
{% macro is_credential(value) -%}
    {{ return(linker.regex_matches(value, linker.credential_pattern())) }}
{%- endmacro %}

{#-
    Whether a text is a long random string, as generators of passwords and tokens write them: capitals, small letters and
    digits mixed, from 32 characters on, and no words. A UUID or the hexadecimal digits of a hash are none, since keys and
    checksums look like that; nor are the 22 to 28 characters that many services make identifiers of.
-#}
{% macro is_random(value) -%}
    {%- set conditions = [linker.regex_matches(value, '^[A-Za-z0-9+/_-]{32,}={0,2}$')] -%}
    {%- for letters in ['A-Z', 'a-z', '0-9'] -%}
        {%- do conditions.append(linker.regex_matches(value, '[' ~ letters ~ ']')) -%}
    {%- endfor -%}
    {%- do conditions.append('not ' ~ linker.regex_matches(value, '[A-Z]{8}|[a-z]{8}|[0-9]{8}|^0x')) -%}
    {{ return('(' ~ conditions | join(' and ') ~ ')') }}
{%- endmacro %}

{#-
    Whether the words of a column's name say that its long strings tell things apart: identifiers, digests, addresses on
    a chain of blocks. `words` is as `name_words` leaves them.
-#}
{% macro names_references(words) -%}
    {{ return(linker.regex_matches(
        words,
        '_(id|ids|uuid|guid|uid|pk|fk|hash|hashes|digest|checksum|md5|sha[0-9]*|etag|fingerprint|signature|address|addresses|addr'
        ~ '|wallet|cid|block|tx|txn|transaction|pubkey|url|uri|path|file|filename|slug|sequence)_'
    )) }}
{%- endmacro %}

{#- What stands before is no part of a longer word. The same pattern finds credentials in comments. -#}
{% macro credential_pattern() -%}
    {{ return('(^|[^A-Za-z0-9])(' ~ linker._credential_forms() | join('|') ~ ')') }}
{%- endmacro %}

{#- Stripe, OpenAI and Anthropic, AWS, GitHub, GitLab, Slack, Google, SendGrid, npm, PyPI, Hugging Face, Shopify,
    DigitalOcean, Databricks, HashiCorp Vault, Telegram, Atlassian, Azure; a JWT, a private key in PEM, an address with a
    password in it. -#}
{% macro _credential_forms() -%}
    {{ return([
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
    ]) }}
{%- endmacro %}
